/// How a scheduler stands.
public struct RefreshStatus: Sendable, Hashable {
    /// How many sessions it has.
    public internal(set) var sessions = 0
    /// Those whose time will come.
    public internal(set) var armed = 0
    /// Those that are due and wait for the limits.
    public internal(set) var waiting = 0
    /// Those that are being renewed.
    public internal(set) var renewing = 0
    /// Those with nothing to renew ahead of time: signed out, waiting for a person, or reactive.
    public internal(set) var idle = 0
    /// How long until it wakes; nil when it has nothing to wake for.
    public internal(set) var wakesIn: Duration?
    /// Renewals that brought tokens, since it was made.
    public internal(set) var renewed = 0
    /// Renewals that failed.
    public internal(set) var failed = 0
    /// Renewals that brought tokens after the old one had ended.
    public internal(set) var late = 0
    /// Steps of the wall clock.
    public internal(set) var clockSteps = 0
}
