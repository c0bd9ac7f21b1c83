import AuthKitCore

/// Decides which answer is the one that is waited for: the first accepted one, and no other.
final class RedirectGate: Sendable {
    /// What became of an answer.
    enum Verdict: Hashable {
        /// Nobody waits yet, or it does not belong to this sign-in.
        case refused
        /// It is the one.
        case accepted
        /// Another one was accepted before and is being worked on.
        case taken
        /// The sign-in is over.
        case over
    }

    private enum Phase {
        case idle
        case waiting(@Sendable (RedirectAnswer) -> Bool)
        case taken
        case over
    }

    /// Opened by the accepted answer.
    let answer = Latch<RedirectAnswer>()
    /// Opened at the end of the sign-in.
    let outcome = Latch<SignInOutcome>()
    private let phase = Guarded(Phase.idle)

    /// Lets answers in; false when that was done before.
    func open(accepting: @escaping @Sendable (RedirectAnswer) -> Bool) -> Bool {
        phase.withLock { phase in
            guard case .idle = phase else { return false }
            phase = .waiting(accepting)
            return true
        }
    }

    /// Tries an answer.
    func offer(_ candidate: RedirectAnswer) -> Verdict {
        let accepting: @Sendable (RedirectAnswer) -> Bool
        switch phase.withLock({ $0 }) {
        case .idle: return .refused
        case .taken: return .taken
        case .over: return .over
        case .waiting(let closure): accepting = closure
        }
        // Outside the lock: it is somebody else's code.
        guard accepting(candidate) else { return .refused }
        let verdict = phase.withLock { phase in
            switch phase {
            case .waiting:
                phase = .taken
                return Verdict.accepted
            case .taken: return .taken
            case .idle, .over: return .over
            }
        }
        if verdict == .accepted { answer.open(candidate) }
        return verdict
    }

    /// Ends it; answers that come later are told so.
    func close(_ outcome: SignInOutcome?) {
        phase.withLock { $0 = .over }
        if let outcome { self.outcome.open(outcome) }
    }
}
