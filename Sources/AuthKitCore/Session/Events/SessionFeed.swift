/// One session's view of its credential: the state machine, and those who subscribed to its events.
final class SessionFeed: Sendable {
    private struct Subscriber: Sendable {
        weak let events: SessionEvents?
    }

    private struct State: Sendable {
        var machine = SessionMachine()
        var subscribers: [Subscriber] = []
    }

    private let state = Guarded(State())

    /// Where the session stands.
    var standing: SessionState { state.withLock { $0.machine.state } }

    /// Makes a subscriber, which lives as long as somebody holds it; one that is over where the session is.
    func subscribe() -> SessionEvents {
        let events = SessionEvents()
        let isOver = state.withLock { state in
            guard state.machine.standing != .disposed else { return true }
            if state.subscribers.count.nonzeroBitCount == 1 {  // Swept whenever the number has doubled.
                state.subscribers.removeAll { $0.events == nil }
            }
            state.subscribers.append(Subscriber(events: events))
            return false
        }
        if isOver { _ = events.end() }  // Nobody waits yet.
        return events
    }

    /// Takes in what happened; what the machine refuses is not told either.
    ///
    /// Returns the calls to wake once no lock is held.
    func take(_ change: CredentialChange) -> [SessionEvents.Delivery] {
        state.withLock { state in
            if let event = change.machineEvent {
                do {
                    try state.machine.handle(event, of: change.generation, problem: change.problem)
                } catch {
                    return []
                }
            } else if state.machine.standing == .disposed || change.generation != state.machine.generation {
                return []
            }
            guard let told = change.event else { return [] }
            return state.subscribers.compactMap { $0.events?.post(told) }
        }
    }

    /// Gives the session up: its subscribers are told, and their events end.
    func dispose() { finish(.disposed) }

    /// Ends its subscribers' events without a word: the session is gone.
    func end() { finish(nil) }

    private func finish(_ last: SessionEvent?) {
        let deliveries = state.withLock { state in
            do {
                try state.machine.handle(.disposed, of: nil)
            } catch {
                return [SessionEvents.Delivery]()  // It has ended before.
            }
            defer { state.subscribers = [] }
            return state.subscribers.flatMap { subscriber in
                guard let events = subscriber.events else { return [SessionEvents.Delivery]() }
                return [last.flatMap(events.post)].compactMap(\.self) + events.end()
            }
        }
        for delivery in deliveries { delivery.make() }
    }
}
