extension RefreshWorker {
    /// How a worker works.
    public struct Options: Sendable {
        /// How much it asks of issuers: rates, and how much at once.
        public var limits = RefreshLimits()
        /// The most records that are claimed in one go.
        public var batch = 64
        /// How long others leave alone what was claimed here; a dead worker's claims are taken over after it.
        public var claimDuration: Duration = .seconds(30)
        /// How often the store is asked while nothing is due.
        public var pollInterval: Duration = .seconds(1)
        /// How long a credential that somebody else is renewing is let be.
        public var busyPause: Duration = .seconds(1)
        /// How long a renewal may take, whatever its provider does, before its place is given to others.
        ///
        /// It goes on where it hangs, and its credential is let be as long as it does.
        public var renewalLimit: Duration = .seconds(300)
        /// How long the requests of a renewal may take, and what becomes of one that cannot be stored.
        public var session = SessionOptions()

        /// Takes the values that are right unless there is a reason.
        public init() {}
    }

    /// What a worker has done since it was made.
    public struct Counts: Sendable, Hashable {
        /// Records claimed.
        public internal(set) var claimed = 0
        /// Credentials renewed, by this worker or by another while it looked.
        public internal(set) var renewed = 0
        /// Of those, the ones whose token had ended before.
        public internal(set) var late = 0
        /// Answers that are kept in memory until the store takes them.
        public internal(set) var unsaved = 0
        /// Records that were not to be renewed yet.
        public internal(set) var unneeded = 0
        /// Records that this worker has no provider or no key for, or whose renewal calls back into the app.
        public internal(set) var skipped = 0
        /// Records that somebody else was renewing, or had changed.
        public internal(set) var busy = 0
        /// Renewals that failed, or took too long, and are tried again.
        public internal(set) var failed = 0
        /// Credentials for which somebody must sign in or mend the set-up.
        public internal(set) var stopped = 0
        /// Records that do not open.
        public internal(set) var damaged = 0
        /// Claims, and reads of what was claimed, that failed: the store was away.
        public internal(set) var storeFailures = 0
        /// Renewals under way.
        public internal(set) var renewing = 0
    }
}
