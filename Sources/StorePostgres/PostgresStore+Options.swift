#if Postgres
public import AuthKitCore

extension PostgresStore {
    /// How a store is opened and used.
    public struct Options: Sendable {
        /// The most connections that are open at one time.
        public var connectionLimit = 8
        /// How long a lease is held after its holder was last heard of.
        ///
        /// Holders extend theirs three times as often. A credential whose holder died can be renewed by others this
        /// much later: keep it below the time for which issuers take a token again whose answer was lost.
        public var leaseDuration: Duration = .seconds(6)
        /// How long connecting, and each statement, may take.
        public var statementLimit: Duration = .seconds(10)
        /// How long a call waits for a connection while all are in use; longer waits end in `busy`.
        ///
        /// Saves and leases go first, and one of the connections, where there are several, is theirs alone.
        public var connectionWait: Duration = .seconds(10)
        /// How long a call waits for a server that is away, while it restarts for example.
        public var reconnectLimit: Duration = .seconds(15)
        /// What waits are counted by; leases are counted by the server's clock.
        public var time: any TimeSource = SystemTime()

        /// Takes the values that are right unless there is a reason.
        public init() {}
    }
}
#endif
