/// What one issuer may be asked, and who waits for it.
struct IssuerQueue: Sendable {
    /// Where it stands among the issuers that compete for the limit of all.
    enum Place: Sendable, Hashable {
        /// Nobody waits, or as many are under way as may be.
        case none
        /// It competes with this key.
        case offered(Int64)
        /// Its own rate does not allow another yet.
        case resting
    }

    /// Added to the keys of those that are late already, so that they come after all that can be on time.
    static let lateness = Int64(1) << 61
    /// The latest end that is told apart, and the earliest with its sign changed.
    static let farthest = lateness / 2 - 1

    let key: IssuerKey
    var bucket: TokenBucket
    let concurrent: Int
    var place = Place.none
    /// Tells its newest offer or rest from older ones.
    var offer: UInt32 = 0
    var members = 0
    var running = 0
    /// How many wait.
    var waiting = 0
    /// Those whose end has not passed, by end.
    var timely = WaitingQueue()
    /// Those whose end has passed, by end.
    var late = WaitingQueue()

    init(_ key: IssuerKey, _ limit: RefreshLimits.Limit) {
        self.key = key
        bucket = TokenBucket(perSecond: limit.perSecond, burst: limit.burst)
        concurrent = limit.concurrent
    }

    /// How many entries of the queues no longer wait.
    var staleCount: Int { timely.count + late.count - waiting }

    /// Whether it may be forgotten: no session is there, and its limit holds nothing back.
    func isUnused(at now: Int64) -> Bool {
        members == 0 && running == 0 && place == .none && bucket.isFull(at: now)
    }

    var byteCount: Int { MemoryLayout<Self>.stride + timely.byteCount + late.byteCount }

    /// Adds one that waits.
    mutating func push(_ item: WaitingQueue.Item, at now: Int64) {
        if item.key > now { timely.push(item) } else { late.push(item) }
        waiting += 1
    }

    /// The key of the one to be started next; nil when nobody waits.
    ///
    /// What can still be on time comes first, by its end; each that is started so leaves the most others on time
    /// (Glover's rule for jobs of one length). What is late comes after, the longest first.
    mutating func firstKey(at now: Int64, _ waits: (WaitingQueue.Item) -> Bool) -> Int64? {
        while let item = timely.first {
            if item.key > now, waits(item) { return item.key }
            timely.pop()
            if waits(item) { late.push(item) }
        }
        while let item = late.first {
            if waits(item) { return item.key + Self.lateness }
            late.pop()
        }
        return nil
    }

    /// Takes out the one that `firstKey` has just found.
    mutating func popFirst() -> WaitingQueue.Item? {
        guard let item = timely.pop() ?? late.pop() else { return nil }
        waiting -= 1
        return item
    }
}
