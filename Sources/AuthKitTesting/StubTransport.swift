public import AuthKitCore

/// A transport that answers from a closure or a script and records what was sent.
public final class StubTransport: HTTPTransport {
    /// Answers one request, or throws what the exchange shall fail with.
    public typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private struct State {
        var script: [Answer]
        var requests: [HTTPRequest] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Guarded<State>
    private let fallback: Answer?

    /// Answers every request by a closure.
    public init(_ answer: @escaping Answer) {
        state = Guarded(State(script: []))
        fallback = answer
    }

    /// Answers the first request by the first answer and so on; then fails as if nobody listened.
    public init(script: [Answer] = []) {
        state = Guarded(State(script: script))
        fallback = nil
    }

    /// What was sent so far, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Puts an answer at the end of the script; the script goes before the closure.
    public func enqueue(_ answer: @escaping Answer) {
        state.withLock { $0.script.append(answer) }
    }

    /// Records the request and gives the next answer.
    ///
    /// Throws `TransportError` (`cannot_connect`, not sent) when the script has ended.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let (next, watchers) = state.withLock { state in
            state.requests.append(request)
            let sent = state.requests.count
            let watchers = state.watchers.filter { $0.count <= sent }
            state.watchers.removeAll { $0.count <= sent }
            return (state.script.isEmpty ? fallback : state.script.removeFirst(), watchers.map(\.continuation))
        }
        for watcher in watchers { watcher.resume() }
        guard let next else {
            throw TransportError(
                .cannotConnect,
                delivery: .notSent,
                detail: "No answer is scripted for \(request.method) \(request.url); add one with enqueue(_:)."
            )
        }
        return try await next(request)
    }

    /// Waits until so many requests were sent; for tests whose answers wait for something.
    public func waitForRequests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requests.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

extension HTTPResponse {
    /// Makes an answer to a request with a JSON body, unless another media type is given.
    public static func stub(
        _ request: HTTPRequest,
        status: Int = 200,
        fields: [HTTPField] = [],
        body: String = "",
        contentType: String = "application/json",
        at moment: Moment
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: [HTTPField("Content-Type", contentType)] + fields,
            body: Array(body.utf8),
            url: request.url,
            receivedAt: moment
        )
    }
}
