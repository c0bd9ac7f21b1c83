import AuthKitCore

/// Runs an exchange that must fail and returns how.
func failure(of send: () async throws -> HTTPResponse) async throws -> TransportError {
    do {
        let answer = try await send()
        throw Unexpected(status: answer.status)
    } catch let error as TransportError {
        return error
    }
}

/// An answer where a failure was due.
struct Unexpected: Error {
    let status: Int
}

/// A one-way signal from a server's thread to a test.
struct Signal: Sendable {
    private let stream: AsyncStream<Bool>
    private let continuation: AsyncStream<Bool>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send(_ value: Bool = true) {
        continuation.yield(value)
        continuation.finish()
    }

    /// The value, once it was sent.
    var value: Bool {
        get async {
            for await value in stream { return value }
            return false
        }
    }
}
