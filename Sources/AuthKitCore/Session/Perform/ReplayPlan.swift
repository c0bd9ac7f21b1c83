/// Decides what a challenge is answered with: each cause is met once, and two sends more are made in all.
struct ReplayPlan: Sendable {
    /// What to do about a challenge.
    enum Step: Sendable, Hashable {
        /// Send again with the nonce that came.
        case replay
        /// Renew the token, then send again.
        case renew
        /// Give up.
        case fail(SessionError.Code)
    }

    private static let replayLimit = 2

    private var replays = 0
    private var hasUsedNonce = false
    private var hasRenewed = false

    /// Takes a challenge in; `hasNonce` is whether it brought a nonce that a proof can use.
    mutating func step(for challenge: AuthorizationChallenge, hasNonce: Bool) -> Step {
        let step = judge(challenge, hasNonce)
        switch step {
        case .replay: hasUsedNonce = true
        case .renew: hasRenewed = true
        case .fail: return step
        }
        guard replays < Self.replayLimit else { return .fail(.tokenRefused) }
        replays += 1
        return step
    }

    private func judge(_ challenge: AuthorizationChallenge, _ hasNonce: Bool) -> Step {
        switch challenge.error {
        // RFC 9449 §9: the same token with a proof that has the nonce.
        case "use_dpop_nonce": hasNonce && !hasUsedNonce ? .replay : .fail(.tokenRefused)
        case "insufficient_scope": .fail(.insufficientScope)
        // RFC 9470 §3.
        case "insufficient_user_authentication": .fail(.stepUpNeeded)
        // RFC 6750 §3.1: an expired or revoked token, or a resource that gives no reason.
        case "invalid_token", nil: hasRenewed ? .fail(.tokenRefused) : .renew
        default: .fail(.tokenRefused)
        }
    }
}
