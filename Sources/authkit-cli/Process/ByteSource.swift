internal import AuthKitCore

/// Bytes that come piece by piece.
protocol ByteSource: Sendable {
    /// Waits for the next bytes, at most so many; none at the end.
    func piece(atMost count: Int) async throws -> [UInt8]
}

/// An input that has all its bytes at once.
final class WholeInput: ByteSource {
    private let input: any LineInput
    private let isRead = Guarded(false)

    /// Makes a source of an input.
    init(_ input: any LineInput) {
        self.input = input
    }

    func piece(atMost count: Int) async throws -> [UInt8] {
        let wasRead = isRead.withLock { isRead in
            defer { isRead = true }
            return isRead
        }
        return wasRead ? [] : try await input.everything(limit: .max)
    }
}
