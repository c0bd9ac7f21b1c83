/// When a session is to be renewed, as its snapshot and policy say.
package struct RefreshJudgement: Sendable, Hashable {
    /// How long until it is due; zero when it is.
    package let wait: Duration
    /// How long until its token ends; zero or less when it has.
    package let end: Duration
    /// Whether that depends on the wall clock, so that it is to be judged anew after a step.
    package let isWallBound: Bool
    /// How long a token must live that is not the one that is due, as a session counts.
    package let validFor: Duration
    /// Why a new token is asked for.
    package let reason: TokenRequest.Reason

    /// Judges what is held; nil when it is not renewed ahead of time.
    ///
    /// `spread`, from 0 to 1, is the share of the policy's jitter: with 1 it is due as early as it may be.
    package init?(_ credential: StoredCredential, policy: RefreshPolicy, at now: Moment, spread: Double) {
        let dues = credential.renewalDues(by: policy, at: now, spread: spread)
        guard let first = dues.min(by: { $0.wait < $1.wait }) else { return nil }
        wait = first.wait
        end = first.end
        isWallBound = dues.contains(where: \.isWallBound)
        if let token = credential.accessTokens[.primary] {
            // A little more than what is left: enough for any newer token, too much for this one.
            if case .lasts(let rest) = credential.expiry(of: token).remaining(at: now) {
                validFor = max(.zero, rest) + .milliseconds(1)
                reason = .expiring
            } else {
                // It may last for ever, and a companion is due: only insisting helps.
                validFor = .milliseconds(1)
                reason = .forced
            }
        } else {
            validFor = .milliseconds(1)
            reason = .expiring
        }
    }
}
