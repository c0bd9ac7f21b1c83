internal import AuthKitCore

/// One request on its way and the caller who waits for it: ended once, from whichever thread comes first.
final class Exchange: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<HTTPResponse, any Error>)
        case ended
    }

    /// What is sent; redirects are exchanges of their own.
    let request: HTTPRequest
    /// When it has taken too long.
    let deadline: MonotonicTime

    private let state = Guarded(State.open)

    /// Makes an exchange that nobody waits for yet.
    init(_ request: HTTPRequest, until deadline: MonotonicTime) {
        self.request = request
        self.deadline = deadline
    }

    /// Whether its caller has an outcome: what is still on its way is of no use then.
    var isEnded: Bool {
        state.withLock { if case .ended = $0 { true } else { false } }
    }

    /// Takes the caller in; false when it was cancelled before, and then the caller is told at once.
    func begin(_ caller: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
        let begins = state.withLock { state in
            guard case .open = state else { return false }
            state = .awaited(caller)
            return true
        }
        if !begins { caller.resume(throwing: CancellationError()) }
        return begins
    }

    /// Gives the caller its outcome, unless it has one.
    func end(_ outcome: Result<HTTPResponse, any Error>) {
        let caller: CheckedContinuation<HTTPResponse, any Error>? = state.withLock { state in
            defer { state = .ended }
            if case .awaited(let caller) = state { return caller }
            return nil
        }
        caller?.resume(with: outcome)
    }
}
