extension StoredCredential {
    /// When a token of this credential ends, as this machine's clock will show it.
    ///
    /// An end that was told as a time of the wall clock counts on the boot clock too, from the last receipt on.
    package func expiry(of token: HeldToken) -> Expiry {
        let local = clockOffset.map { token.expiry.corrected(by: $0) } ?? token.expiry
        return local.counted(from: renewedAt)
    }

    /// Whether a token of this credential lasts for a duration more; see `Expiry.lasts`.
    func lasts(_ token: HeldToken, for duration: Duration, at now: Moment) -> Bool {
        expiry(of: token).lasts(for: duration, at: now)
    }

    /// Whether a token of this credential has not ended yet, as far as is known.
    func isAlive(_ token: HeldToken, at now: Moment) -> Bool { lasts(token, for: .nanoseconds(1), at: now) }

    /// How long until the token that sign-in brings is to be renewed ahead of time; zero when it is due.
    ///
    /// Nil when nobody is to renew it ahead of time: signed out, needs a sign-in, or the policy is not to. `spread`,
    /// from 0 to 1, is the caller's share of the policy's jitter.
    package func wait(untilRenewalBy policy: RefreshPolicy, at now: Moment, spread: Double = 0) -> Duration? {
        renewalDues(by: policy, at: now, spread: spread).map(\.wait).min()
    }

    /// What is to be renewed ahead of time: the token that sign-in brings, and the watched companions.
    ///
    /// Each for itself: that nobody knows when one of them ends says nothing of the others.
    func renewalDues(by policy: RefreshPolicy, at now: Moment, spread: Double) -> [RenewalDue] {
        guard state == .signedIn else { return [] }
        let companionDues = policy.watchedCompanions.compactMap { companions[$0] }.compactMap { token in
            RenewalDue(expiry(of: token), receivedAt: renewedAt, policy: policy, at: now, spread: spread)
        }
        // One that has ended cannot be saved: it must not make the credential due for ever.
        let savable = companionDues.filter { $0.end > .zero }
        guard let token = accessTokens[.primary] else {
            // A sign-in whose first access token is still to be fetched, with what it brought.
            return savable.map { RenewalDue(wait: .zero, end: $0.end, isWallBound: $0.isWallBound) }
        }
        let end = expiry(of: token)
        let receivedAt = token.expiry.lifetime?.from ?? renewedAt
        let due = RenewalDue(end, receivedAt: receivedAt, policy: policy, at: now, spread: spread)
        return savable + (due.map { [$0] } ?? [])
    }
}
