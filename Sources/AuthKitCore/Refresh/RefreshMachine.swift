/// Decides when which session is renewed: deadlines, limits, back-off and clocks, without a clock of its own.
///
/// Its owner tells it what happens and when, and does what `advance` says. Deadlines lie on a clock that counts from
/// the machine's making, as the boot clock runs; wall-bound ones are judged anew by the owner after the wall clock was
/// stepped. Among the sessions that are due the one whose token ends first is started first.
package struct RefreshMachine: Sendable {
    /// Names a session.
    package typealias ID = TimerWheel.Handle

    /// A renewal to be started.
    package struct Start: Sendable, Hashable {
        /// Whose.
        package let id: ID
        /// Tells it from the session's other renewals.
        package let attempt: UInt32
        /// How long it has waited since it was due.
        package let waited: Duration
        /// How long its token has ended already; zero when it is on time.
        package let late: Duration
    }

    /// What is to be done now.
    package struct Step: Sendable {
        /// Renewals to start, in this order.
        package var starts: [Start] = []
        /// Renewals to give up: they took too long, and have failed; how long each session pauses.
        package var abandoned: [(start: Start, pause: Duration)] = []
        /// Sessions to be armed anew, since the wall clock was stepped.
        package var judged: [ID] = []
        /// How long to sleep; nil while there is no session.
        package var sleep: Duration?
        /// By how much the wall clock was stepped since it was last looked at.
        package var clockStep: Duration?
        /// How much longer than planned the machine was not looked at, where that is long: the system slept.
        package var overslept: Duration?
    }

    /// How a renewal ended.
    package enum Outcome: Sendable, Hashable {
        /// The issuer was asked and gave.
        case renewed
        /// Nothing was asked of the issuer.
        case unneeded
        /// It may go better later; not before the issuer's own time, where it named one, nor before the floor.
        case failed(retryAfter: Duration?, floor: Duration)
        /// Trying again cannot help.
        case stopped
    }

    enum Stage: UInt8, Sendable {
        case idle, armed, waiting, running, leaving
    }

    struct Entry: Sendable {
        private var packedEnd = PackedInteger(IssuerQueue.farthest)
        var issuer: UInt32
        /// Changes with each wait and each start.
        var stamp: UInt32
        var stage = Stage.idle
        var isWallBound = false
        var failures: UInt8 = 0

        /// When the token ends, on the machine's clock.
        var end: Int64 {
            get { packedEnd.signed }
            set { packedEnd = PackedInteger(newValue) }
        }

        init(issuer: UInt32, stamp: UInt32 = 0) {
            self.issuer = issuer
            self.stamp = stamp
        }
    }

    /// The longest sleep, since a system that was suspended may not count it.
    package static let longestSleep = Duration.seconds(30)
    /// The longest time for which one session's `Retry-After` keeps the others of its issuer waiting.
    static let longestRest = Duration.seconds(60)
    /// The wheel's tick in nanoseconds.
    static let tick: Int64 = 1_000_000

    let limits: RefreshLimits
    let backoff: Backoff
    /// How long a renewal may take before it is given up.
    let renewalLimit: Duration
    var generator: any RandomNumberGenerator & Sendable
    var wheel = TimerWheel()
    /// By the number of the timer.
    var entries: ContiguousArray<Entry> = []
    var issuers: [IssuerQueue] = []
    var issuerNumbers: [IssuerKey: UInt32] = [:]
    /// The issuers that compete, by the key of their first.
    var offers = WaitingQueue()
    /// The issuers that rest, by the time until which; what was overtaken by an earlier time stays until then.
    var resting = WaitingQueue()
    var total: TokenBucket
    var clock: RefreshClock
    var sessionCount = 0
    var runningCount = 0
    var waitingCount = 0
    /// Where the judging anew has come to, after a step of the wall clock.
    var judging: Int?
    /// A step of the wall clock that the owner does not know of yet.
    var pendingStep: Duration?
    var plannedWake: Int64?

    /// Makes a machine without sessions.
    package init(
        limits: RefreshLimits = RefreshLimits(),
        backoff: Backoff = Backoff(),
        renewalLimit: Duration = .seconds(300),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        at now: Moment
    ) {
        self.limits = limits
        self.backoff = backoff
        self.renewalLimit = renewalLimit
        self.generator = generator
        total = TokenBucket(perSecond: limits.total.perSecond, burst: limits.total.burst)
        clock = RefreshClock(now)
    }

    /// Makes room for so many sessions.
    package mutating func reserve(_ count: Int) {
        wheel.reserve(count)
        entries.reserveCapacity(count)
    }

    /// Adds a session, which is idle.
    package mutating func add(_ key: IssuerKey) -> ID {
        let issuer = issuerNumber(key)
        issuers[Int(issuer)].members += 1
        let id = wheel.make()
        let index = Int(id.index)
        if index < entries.count {
            entries[index] = Entry(issuer: issuer, stamp: entries[index].stamp &+ 1)
        } else {
            if entries.count == entries.capacity { entries.reserveCapacity(TimerWheel.roomier(entries.count)) }
            entries.append(Entry(issuer: issuer))
        }
        sessionCount += 1
        return id
    }

    /// Sets when a session is due and when its token ends, both from now.
    ///
    /// While it is being renewed nothing changes: what comes of that decides. After a failure the pause holds, so that
    /// a step of the clock is no reason to ask earlier.
    package mutating func arm(_ id: ID, in wait: Duration, end: Duration, isWallBound: Bool, at now: Moment) {
        look(at: now)
        guard wheel.contains(id) else { return }
        let index = Int(id.index)
        guard entries[index].stage != .running, entries[index].stage != .leaving else { return }
        let bound = IssuerQueue.farthest
        entries[index].end = min(max(clock.elapsed + end.nanoseconds, -bound), bound)
        entries[index].isWallBound = isWallBound
        if entries[index].failures > 0, entries[index].stage == .armed { return }
        if entries[index].stage == .waiting { withdraw(index) }
        set(id, in: wait)
    }

    /// Lets a session be, until it is armed again.
    package mutating func disarm(_ id: ID) {
        guard wheel.contains(id) else { return }
        let index = Int(id.index)
        switch entries[index].stage {
        case .idle, .running, .leaving: return
        case .armed: wheel.disarm(id)
        case .waiting: withdraw(index)
        }
        entries[index].stage = .idle
        entries[index].failures = 0
    }

    /// Removes a session; a renewal of it that is under way counts until it ends.
    package mutating func remove(_ id: ID) {
        guard wheel.contains(id), entries[Int(id.index)].stage != .leaving else { return }
        guard entries[Int(id.index)].stage != .running else {
            entries[Int(id.index)].stage = .leaving
            return
        }
        disarm(id)
        drop(id)
    }

    /// Takes in how a renewal ended; how long the session pauses, after a failure.
    ///
    /// What was given up already, or belongs to a session that is gone, changes nothing.
    @discardableResult
    package mutating func finished(_ start: Start, _ outcome: Outcome, at now: Moment) -> Duration? {
        look(at: now)
        return end(start, outcome)
    }

    /// Ends a renewal, at the time of the last reading.
    @discardableResult
    mutating func end(_ start: Start, _ outcome: Outcome) -> Duration? {
        let index = Int(start.id.index)
        guard isUnderWay(start) else { return nil }
        wheel.disarm(start.id)
        runningCount -= 1
        let issuer = Int(entries[index].issuer)
        issuers[issuer].running -= 1
        defer { offer(issuer) }
        if outcome == .unneeded {
            total.giveBack()
            issuers[issuer].bucket.giveBack()
            if issuers[issuer].place == .resting { issuers[issuer].place = .none }  // It may be asked earlier now.
        }
        guard entries[index].stage == .running else {
            drop(start.id)
            return nil
        }
        entries[index].stage = .idle
        guard case .failed(let retryAfter, let floor) = outcome else {
            entries[index].failures = 0
            return nil
        }
        entries[index].failures = min(entries[index].failures, .max - 1) + 1
        let pause = max(
            floor,
            backoff.delay(afterFailures: Int(entries[index].failures), retryAfter: retryAfter, using: &generator)
        )
        if let retryAfter {
            // RFC 9110 §10.2.3, RFC 6585 §4: it may be the service that asks to be left alone, not only for this user.
            let rest = min(max(.zero, retryAfter), Self.longestRest)
            issuers[issuer].bucket.pause(until: clock.elapsed + rest.nanoseconds)
        }
        set(start.id, in: pause)
        return pause
    }

    /// Whether a renewal is one that was started and has not ended.
    package func isUnderWay(_ start: Start) -> Bool {
        let index = Int(start.id.index)
        return wheel.contains(start.id) && entries[index].stamp == start.attempt
            && (entries[index].stage == .running || entries[index].stage == .leaving)
    }

    /// Draws a session's share of the jitter.
    package mutating func drawSpread() -> Double { Double.random(in: 0...1, using: &generator) }

    private mutating func set(_ id: ID, in wait: Duration) {
        // Rounded up, so that a floor holds; a lead is longer than a tick.
        let due = clock.elapsed + max(0, wait.nanoseconds)
        wheel.arm(id, at: UInt64((due + Self.tick - 1) / Self.tick))
        entries[Int(id.index)].stage = .armed
    }

    private mutating func drop(_ id: ID) {
        issuers[Int(entries[Int(id.index)].issuer)].members -= 1
        entries[Int(id.index)].stamp &+= 1
        entries[Int(id.index)].stage = .idle
        wheel.release(id)
        sessionCount -= 1
    }
}
