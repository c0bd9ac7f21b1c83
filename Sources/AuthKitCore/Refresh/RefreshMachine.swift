/// Decides when which session is renewed: deadlines, limits, back-off and clocks, without a clock of its own.
///
/// Its owner tells it what happens and when, and does what `advance` says. Deadlines lie on a clock that counts from
/// the machine's making, as the boot clock runs; wall-bound ones are judged anew by the owner after the wall clock was
/// stepped. Among the sessions that are due the one whose token ends first is started first.
package struct RefreshMachine: Sendable {
    /// Names a session.
    package typealias ID = TimerHandle

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
    var wheel = TimerWheel<Entry>()
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

    /// Adds a session, which is idle.
    package mutating func add(_ key: IssuerKey) -> ID {
        let issuer = issuerNumber(key)
        issuers[Int(issuer)].members += 1
        sessionCount += 1
        return wheel.make { previous in Entry(issuer: issuer, stamp: previous.map { $0.stamp &+ 1 } ?? 0) }
    }

    /// Sets when a session is due and when its token ends, both in nanoseconds from now.
    ///
    /// While it is being renewed nothing changes: what comes of that decides. After a failure the pause holds, so that
    /// a step of the clock is no reason to ask earlier.
    package mutating func arm(_ id: ID, in wait: Int64, end: Int64, isWallBound: Bool, at now: ClockReading) {
        if let step = clock.read(now) { note(step) }
        arm(id, in: wait.clampedToCentury, end: end.clampedToCentury, isWallBound: isWallBound)
    }

    @inline(__always)
    private mutating func arm(_ id: ID, in wait: Int64, end: Int64, isWallBound: Bool) {
        guard wheel.contains(id) else { return }
        let index = Int(id.index)
        var entry = wheel[index]
        let stage = entry.stage
        guard stage != .running, stage != .leaving else { return }
        let bound = IssuerQueue.farthest
        entry.end = min(max(clock.elapsed + end, -bound), bound)
        entry.isWallBound = isWallBound
        if stage == .armed, entry.failures > 0 {
            wheel[index] = entry
            return
        }
        if stage == .waiting { entry = withdraw(index, entry) }
        entry.stage = .armed
        wheel.arm(index, at: tick(in: wait), entry)
    }

    /// Lets a session be, until it is armed again.
    package mutating func disarm(_ id: ID) {
        guard wheel.contains(id) else { return }
        let index = Int(id.index)
        var entry = wheel[index]
        switch entry.stage {
        case .idle, .running, .leaving: return
        case .armed: wheel.disarm(index)
        case .waiting: entry = withdraw(index, entry)
        }
        entry.stage = .idle
        entry.failures = 0
        wheel[index] = entry
    }

    /// Removes a session; a renewal of it that is under way counts until it ends.
    package mutating func remove(_ id: ID) {
        guard wheel.contains(id), wheel[Int(id.index)].stage != .leaving else { return }
        guard wheel[Int(id.index)].stage != .running else {
            wheel[Int(id.index)].stage = .leaving
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
        let issuer = Int(wheel[index].issuer)
        issuers[issuer].running -= 1
        defer { offer(issuer) }
        if outcome == .unneeded {
            total.giveBack()
            issuers[issuer].bucket.giveBack()
            if issuers[issuer].place == .resting { issuers[issuer].place = .none }  // It may be asked earlier now.
        }
        guard wheel[index].stage == .running else {
            drop(start.id)
            return nil
        }
        wheel[index].stage = .idle
        guard case .failed(let retryAfter, let floor) = outcome else {
            wheel[index].failures = 0
            return nil
        }
        wheel[index].failures = min(wheel[index].failures, .max - 1) + 1
        let pause = max(
            floor,
            backoff.delay(afterFailures: Int(wheel[index].failures), retryAfter: retryAfter, using: &generator)
        )
        if let retryAfter {
            // RFC 9110 §10.2.3, RFC 6585 §4: it may be the service that asks to be left alone, not only for this user.
            let rest = min(max(.zero, retryAfter), Self.longestRest)
            issuers[issuer].bucket.pause(until: clock.elapsed + rest.nanoseconds)
        }
        wheel[index].stage = .armed
        wheel.arm(index, at: tick(in: pause.nanoseconds))
        return pause
    }

    /// Whether a renewal is one that was started and has not ended.
    package func isUnderWay(_ start: Start) -> Bool {
        let index = Int(start.id.index)
        return wheel.contains(start.id) && wheel[index].stamp == start.attempt
            && (wheel[index].stage == .running || wheel[index].stage == .leaving)
    }

    /// Draws a session's share of the jitter.
    package mutating func drawSpread() -> Double { Double.random(in: 0...1, using: &generator) }

    /// The tick that lies so far ahead: rounded up, so that a floor holds; a lead is longer than a tick.
    func tick(in wait: Int64) -> UInt64 {
        UInt64((clock.elapsed + max(0, wait) + Self.tick - 1) / Self.tick)
    }

    private mutating func drop(_ id: ID) {
        issuers[Int(wheel[Int(id.index)].issuer)].members -= 1
        wheel[Int(id.index)].stamp &+= 1
        wheel[Int(id.index)].stage = .idle
        wheel.release(id)
        sessionCount -= 1
    }
}
