/// Limits of a session, and what it does when new tokens cannot be stored.
public struct SessionOptions: Sendable {
    /// What happens when the issuer has answered and the answer cannot be stored.
    public enum SaveFailure: Sendable, Hashable {
        /// Serve it from memory, marked unsaved, and keep trying while the lease is held. For long-lived processes.
        case serveUnsaved
        /// Try for ten seconds, then throw `saveFailed` and give no token out. For one-shot commands.
        case fail
    }

    /// What happens when an answer cannot be stored.
    public var saveFailure: SaveFailure = .serveUnsaved
    /// How long a save is tried before callers are told.
    public var saveGrace: Duration = .seconds(10)
    /// How long another's renewal is waited for.
    public var leaseWait: Duration = .seconds(45)
    /// How long one caller waits for a renewal before it is served what still lives; nil for as long as it takes.
    ///
    /// The renewal goes on, and whoever ends the process waits for its save (`SaveWindow`).
    public var callerLimit: Duration?
    /// How long all the requests of one renewal may take.
    public var renewalLimit: Duration = .seconds(60)
    /// How long all the requests of one sign-out may take.
    public var signOutLimit: Duration = .seconds(15)

    /// Makes options with the values above.
    public init() {}
}
