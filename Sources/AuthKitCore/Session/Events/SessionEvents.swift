/// What happens to a session's credential, from the moment that `Session.events` was read.
///
/// Each reading of `Session.events` is a subscriber with a bounded buffer of its own, which all its iterators share. A
/// slow one loses events from the middle and is told how many; never the last. Ends when the session is disposed of or
/// gone.
public final class SessionEvents: AsyncSequence, Sendable {
    /// Takes events out of the buffer.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let events: SessionEvents

        /// Waits for the next event; nil at the end, and when the task is cancelled.
        public mutating func next() async -> SessionEvent? { await events.next() }
    }

    /// A waiting call, with what it is given.
    struct Delivery: Sendable {
        fileprivate let waiter: CheckedContinuation<SessionEvent?, Never>
        fileprivate let event: SessionEvent?

        /// Wakes the call; not to be done under a lock.
        func make() { waiter.resume(returning: event) }
    }

    private struct State: Sendable {
        var buffer = EventBuffer()
        var isOver = false
        var nextTicket = 0
        var waiters: [(ticket: Int, continuation: CheckedContinuation<SessionEvent?, Never>)] = []
    }

    private let state = Guarded(State())

    init() {}

    /// Makes an iterator; several share the events.
    public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

    /// Takes an event in, or gives it to who waits.
    func post(_ event: SessionEvent) -> Delivery? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            guard !state.waiters.isEmpty else {
                state.buffer.append(event)
                return nil
            }
            return Delivery(waiter: state.waiters.removeFirst().continuation, event: event)
        }
    }

    /// Ends the sequence behind what is in the buffer.
    func end() -> [Delivery] {
        state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return state.waiters.map { Delivery(waiter: $0.continuation, event: nil) }
        }
    }

    private func next() async -> SessionEvent? {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let delivery: Delivery? = state.withLock { state in
                    // The flag is set before handlers run: whoever is not seen here is found by the handler below.
                    if Task.isCancelled { return Delivery(waiter: continuation, event: nil) }
                    if let event = state.buffer.popFirst() { return Delivery(waiter: continuation, event: event) }
                    if state.isOver { return Delivery(waiter: continuation, event: nil) }
                    state.waiters.append((ticket, continuation))
                    return nil
                }
                delivery?.make()
            }
        } onCancel: {
            let delivery: Delivery? = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
                return Delivery(waiter: state.waiters.remove(at: index).continuation, event: nil)
            }
            delivery?.make()
        }
    }
}
