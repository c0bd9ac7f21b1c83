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
    /// How long before expiry a token counts as expiring; never more than half of a token's lifetime.
    public var lead: Duration
    /// The least time between two renewals of one credential.
    public var floor: Duration

    /// Makes a policy.
    public init(mode: Mode = .proactive, lead: Duration = .seconds(60), floor: Duration = .seconds(1)) {
        self.mode = mode
        self.lead = lead
        self.floor = floor
    }
}
