/// When a credential's tokens are renewed.
public struct RefreshPolicy: Sendable, Hashable {
    /// Whether they are renewed ahead of time, or only when one was refused or asked for.
    public enum Mode: Sendable, Hashable {
        /// Ahead of expiry.
        case proactive
        /// On demand only.
        case reactive
    }

    /// Ahead of time or on demand.
    public var mode: Mode
    /// How long before expiry a token counts as expiring.
    public var lead: Duration
    /// The part of a token's lifetime that the lead never exceeds, so that short-lived tokens are used at all.
    public var leadFraction: Double
    /// The least time between two renewals of one credential.
    public var floor: Duration
    /// The grid, counted from the token's receipt, on which it is looked at; nil for no grid.
    public var checkInterval: Duration?
    /// The part of the lead by which renewals are spread ahead, so that what came together does not end together.
    public var jitter: Double
    /// The companions, by name, that are to be kept alive too: the credential is due as well when one nears its end.
    ///
    /// One that has ended, or whose end nobody said, makes nothing due: there is nothing to save.
    public var watchedCompanions: Set<String>

    /// Makes a policy.
    public init(
        mode: Mode = .proactive,
        lead: Duration = .seconds(60),
        leadFraction: Double = 0.5,
        floor: Duration = .seconds(1),
        checkInterval: Duration? = nil,
        jitter: Double = 0.1,
        watchedCompanions: Set<String> = []
    ) {
        self.mode = mode
        self.lead = lead
        self.leadFraction = leadFraction
        self.floor = floor
        self.checkInterval = checkInterval
        self.jitter = jitter
        self.watchedCompanions = watchedCompanions
    }

    /// How long from now until a token is to be renewed; zero when it is due, nil when it is not renewed ahead of time.
    ///
    /// `spread`, from 0 to 1, is the caller's share of the jitter. A token without a known end is never due, nor is one
    /// that does not end. Where the receipt is unknown, what is left counts as the whole lifetime.
    public func wait(
        untilRenewalOf expiry: Expiry,
        receivedAt: Moment?,
        at now: Moment,
        spread: Double = 0
    ) -> Duration? {
        guard mode == .proactive, case .lasts(let rest) = expiry.remaining(at: now) else { return nil }
        let age = receivedAt.map { max(.zero, now.since($0)) }
        let lifetime = max(.zero, rest) + (age ?? .zero)
        let effective = min(lead, lifetime * leadFraction)
        var wait = rest - effective - effective * (jitter * min(max(spread, 0), 1))
        if let age {
            wait = max(wait, floor - age)
            if let grid = checkInterval, grid > .zero, wait > .zero {
                let steps = ((wait + age) / grid).rounded(.up)
                wait = grid * steps - age
            }
        }
        return max(.zero, wait)
    }
}
