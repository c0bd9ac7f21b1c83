import AuthKitCore

/// Decides which answer is the one that is waited for: the first accepted one, and no other until that is refused after all.
final class RedirectGate: Sendable {
    /// What became of an answer.
    enum Verdict {
        /// Nobody waits yet, or it does not belong to this sign-in.
        case refused
        /// It is the one; the latch is opened with what becomes of it.
        case accepted(Latch<SignInOutcome>)
        /// Another one was accepted before and is being worked on.
        case taken
        /// The sign-in is over.
        case over
    }

    /// The wait for one accepted answer.
    private struct Round {
        let accepting: @Sendable (RedirectAnswer) -> Bool
        let answer = Latch<RedirectAnswer>()
        let outcome = Latch<SignInOutcome>()
    }

    private enum Phase {
        case idle
        case waiting(Round)
        case taken(Round)
        case over(Round?)
    }

    private let phase = Guarded(Phase.idle)

    /// Lets answers in; what is opened by the first that is accepted, or nil when that was done before.
    func open(accepting: @escaping @Sendable (RedirectAnswer) -> Bool) -> Latch<RedirectAnswer>? {
        let round = Round(accepting: accepting)
        return phase.withLock { phase in
            guard case .idle = phase else { return nil }
            phase = .waiting(round)
            return round.answer
        }
    }

    /// Lets answers in again after the accepted one was refused, of which its bringer is told; nil unless there was one.
    func reopen(
        refusing outcome: SignInOutcome,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) -> Latch<RedirectAnswer>? {
        let next = Round(accepting: accepting)
        let last: Round? = phase.withLock { phase in
            guard case .taken(let last) = phase else { return nil }
            phase = .waiting(next)
            return last
        }
        guard let last else { return nil }
        last.outcome.open(outcome)
        return next.answer
    }

    /// Tries an answer.
    func offer(_ candidate: RedirectAnswer) -> Verdict {
        let round: Round
        switch phase.withLock({ $0 }) {
        case .idle: return .refused
        case .taken: return .taken
        case .over: return .over
        case .waiting(let open): round = open
        }
        // Outside the lock: it is somebody else's code.
        guard round.accepting(candidate) else { return .refused }
        let verdict = phase.withLock { phase in
            switch phase {
            // Only one of a round's answers: what was asked above belongs to that round.
            case .waiting(let open) where open.answer === round.answer:
                phase = .taken(round)
                return Verdict.accepted(round.outcome)
            case .waiting, .taken: return .taken
            case .idle, .over: return .over
            }
        }
        if case .accepted = verdict { round.answer.open(candidate) }
        return verdict
    }

    /// Ends it; answers that come later are told so.
    func close(_ outcome: SignInOutcome?) {
        let last: Round? = phase.withLock { phase in
            switch phase {
            case .idle, .waiting: phase = .over(nil)
            case .taken(let round): phase = .over(round)
            case .over: break
            }
            if case .over(let round) = phase { return round }
            return nil
        }
        if let outcome { last?.outcome.open(outcome) }
    }
}
