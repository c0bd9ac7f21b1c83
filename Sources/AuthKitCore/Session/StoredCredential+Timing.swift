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
        guard state == .signedIn else { return nil }
        guard let token = accessTokens[.primary] else {
            // A sign-in whose first access token is still to be fetched, with what it brought.
            return companionDue(by: policy, at: now, spread: spread) == nil ? nil : .zero
        }
        let wait = policy.wait(
            untilRenewalOf: expiry(of: token),
            receivedAt: token.expiry.lifetime?.from ?? renewedAt,
            at: now,
            spread: spread
        )
        let companion = companionDue(by: policy, at: now, spread: spread)?.wait
        return [wait, companion].compactMap(\.self).min()
    }

    /// The watched companion that is due first: how long until it is, how long until it ends, and by which clock.
    func companionDue(
        by policy: RefreshPolicy,
        at now: Moment,
        spread: Double
    ) -> (wait: Duration, end: Duration, isWallBound: Bool)? {
        let dues = policy.watchedCompanions.compactMap { name -> (wait: Duration, end: Duration, isWallBound: Bool)? in
            guard let token = companions[name] else { return nil }
            let expiry = expiry(of: token)
            // One that has ended cannot be saved: it must not make the credential due for ever.
            guard case .lasts(let rest) = expiry.remaining(at: now), rest > .zero else { return nil }
            let wait = policy.wait(
                untilRenewalOf: .after(rest, from: now),
                receivedAt: renewedAt,
                at: now,
                spread: spread
            )
            return wait.map { ($0, rest, expiry.wall != nil) }
        }
        return dues.min { $0.wait < $1.wait }
    }
}
