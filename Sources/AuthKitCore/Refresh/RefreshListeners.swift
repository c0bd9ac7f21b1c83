/// The listeners of a scheduler.
///
/// Each has a bounded queue: who is slow loses the oldest.
final class RefreshListeners: Sendable {
    private static let queueLimit = 256

    private struct State: Sendable {
        var listeners: [Int: AsyncStream<RefreshEvent>.Continuation] = [:]
        var next = 0
        var hasEnded = false
    }

    private let state = Guarded(State())

    /// Makes a stream of what happens from now on.
    func listen() -> AsyncStream<RefreshEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RefreshEvent.self,
            bufferingPolicy: .bufferingNewest(Self.queueLimit)
        )
        let number: Int? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Tells all.
    func tell(_ event: RefreshEvent) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    /// Ends all streams.
    func end() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    deinit { end() }
}
