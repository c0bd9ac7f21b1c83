/// When one held token is to be renewed ahead of time.
struct RenewalDue: Sendable, Hashable {
    /// How long until it is due; zero when it is.
    let wait: Duration
    /// How long until it ends; zero or less when it has.
    let end: Duration
    /// Whether that depends on the wall clock, so that it is to be judged anew after a step.
    let isWallBound: Bool

    init(wait: Duration, end: Duration, isWallBound: Bool) {
        self.wait = wait
        self.end = end
        self.isWallBound = isWallBound
    }

    /// Judges an end as this machine's clock shows it; nil when it is unknown, or the policy is not to renew ahead.
    ///
    /// `receivedAt` is when the token came, `spread` the caller's share of the policy's jitter.
    init?(_ expiry: Expiry, receivedAt: Moment?, policy: RefreshPolicy, at now: Moment, spread: Double) {
        guard case .lasts(let rest) = expiry.remaining(at: now),
            let wait = policy.wait(
                untilRenewalOf: .after(rest, from: now),
                receivedAt: receivedAt,
                at: now,
                spread: spread
            )
        else { return nil }
        self.wait = wait
        end = rest
        // A lifetime that began in another boot is counted by the wall clock.
        isWallBound = expiry.wall != nil || expiry.lifetime.map { $0.from.boot != now.boot } ?? false
    }
}
