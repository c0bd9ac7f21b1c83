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

    /// Judges what is held; nil when it is not renewed ahead of time.
    ///
    /// `spread`, from 0 to 1, is the share of the policy's jitter: with 1 it is due as early as it may be.
    package init?(_ credential: StoredCredential, policy: RefreshPolicy, at now: Moment, spread: Double) {
        guard credential.state == .signedIn, let token = credential.accessTokens[.primary] else { return nil }
        let expiry = credential.expiry(of: token)
        guard case .lasts(let rest) = expiry.remaining(at: now) else { return nil }
        let receivedAt = expiry.lifetime?.from ?? credential.renewedAt
        let wait = policy.wait(
            untilRenewalOf: .after(rest, from: now),
            receivedAt: receivedAt,
            at: now,
            spread: spread
        )
        guard let wait else { return nil }
        let isWallBound = expiry.wall != nil || expiry.lifetime.map { $0.from.boot != now.boot } ?? false
        let companion = credential.companionDue(by: policy, at: now, spread: spread)
        if let companion, companion.wait < wait {
            self.wait = companion.wait
            end = companion.end
        } else {
            self.wait = wait
            end = rest
        }
        self.isWallBound = isWallBound || companion?.isWallBound == true
        // A little more than what is left: enough for any newer token, too much for this one.
        validFor = max(.zero, rest) + .milliseconds(1)
    }
}
