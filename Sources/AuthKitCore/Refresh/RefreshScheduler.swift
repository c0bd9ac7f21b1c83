/// Renews sessions ahead of time: one for a process, for any number of sessions.
///
/// A session is renewed as its provider's `RefreshPolicy` says, within the limits on rates and on how much is under
/// way; what ends first comes first. Suspend, steps of the wall clock and a wrong local clock make no storm: what
/// became overdue is worked off within the limits. Only the token that sign-in brings is renewed ahead of time; others
/// are when they are asked for. Sessions are never renewed here while the policy is reactive.
public actor RefreshScheduler {
    struct Registration {
        let session: Session
        /// The revision that was last judged; nil when nothing was known.
        var judged: Int64?
        /// Whether the store was asked.
        var hasLooked = false
    }

    /// How often sessions with nothing to renew are looked at again.
    private static let idleInterval = Duration.seconds(10)

    private let time: any TimeSource
    private let listeners = RefreshListeners()
    var machine: RefreshMachine
    /// By the number of the machine's name.
    var registrations: [Registration?] = []
    /// The renewals under way, by the same number.
    var tasks: [UInt32: Task<Void, Never>] = [:]
    private var ids: [ObjectIdentifier: RefreshMachine.ID] = [:]
    private var totals = RefreshStatus()
    private var sleeper: (task: Task<Void, Never>, start: Moment, length: Duration)?
    private var idlePoll: (last: Moment, next: Int)
    private var hasStopped = false

    /// Makes a scheduler without sessions; nothing runs until one is added.
    ///
    /// `renewalLimit` is how long one renewal may take before its place is given to others.
    public init(
        limits: RefreshLimits = RefreshLimits(),
        backoff: Backoff = Backoff(),
        renewalLimit: Duration = .seconds(300),
        time: any TimeSource = SystemTime(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.time = time
        let now = time.now
        machine = RefreshMachine(
            limits: limits,
            backoff: backoff,
            renewalLimit: renewalLimit,
            generator: generator,
            at: now
        )
        idlePoll = (now, 0)
    }

    deinit {
        sleeper?.task.cancel()
    }

    /// What happens from now on; a listener that is slow loses the oldest events.
    public nonisolated var events: AsyncStream<RefreshEvent> { listeners.listen() }

    /// How it stands.
    public var status: RefreshStatus {
        let counts = machine.counts
        var status = totals
        (status.sessions, status.armed) = (counts.sessions, counts.armed)
        (status.waiting, status.renewing) = (counts.waiting, counts.running)
        status.idle = machine.idleCount
        let now = time.now
        status.wakesIn = sleeper.map { max(.zero, $0.length - now.since($0.start)) }
        return status
    }

    /// Renews a session ahead of time from now on; one over the same credential and vault is there only once.
    ///
    /// What is held is read from the store first, within the limits, unless it is known already.
    public func add(_ session: Session) {
        let key = ObjectIdentifier(session.cell)
        guard !hasStopped, ids[key] == nil else { return }
        let id = machine.add(IssuerKey(session.id))
        ids[key] = id
        let index = Int(id.index)
        if index == registrations.count { registrations.append(nil) }
        registrations[index] = Registration(session: session)
        judge(id, at: time.now)
        wake()
    }

    /// Renews a session no longer; a renewal under way goes on.
    public func remove(_ session: Session) {
        guard let id = ids.removeValue(forKey: ObjectIdentifier(session.cell)) else { return }
        registrations[Int(id.index)] = nil
        machine.remove(id)
    }

    /// Ends the scheduler and the streams of its events; renewals under way go on.
    public func stop() {
        hasStopped = true
        sleeper?.task.cancel()
        sleeper = nil
        for id in ids.values { machine.remove(id) }
        ids = [:]
        for index in registrations.indices { registrations[index] = nil }
        listeners.end()
    }

    /// Does what is due, and sleeps until more is.
    func wake() {
        guard !hasStopped else { return }
        var rounds = 0
        while true {
            let now = time.now
            pollIdle(at: now)
            let step = machine.advance(to: now)
            report(step, at: now)
            for (start, pause) in step.abandoned { abandon(start, pause: pause, at: now) }
            for id in step.judged { judge(id, at: now) }
            for start in step.starts { begin(start, at: now) }
            rounds += 1
            // What turned out to be unneeded, or was judged anew, may leave room for others: see at once, within reason.
            let isSettled = step.judged.isEmpty && step.starts.allSatisfy { machine.isUnderWay($0) }
            guard !isSettled, rounds < 100 else {
                sleep(for: step.sleep, at: now)
                return
            }
        }
    }

    /// Arms a session by its snapshot, or lets it be.
    func judge(_ id: RefreshMachine.ID, at now: Moment) {
        guard var registration = registrations[Int(id.index)] else { return }
        let session = registration.session
        let policy = session.provider.traits.refresh
        let snapshot = session.cell.snapshot
        registration.judged = snapshot?.entry.version.revision
        registrations[Int(id.index)] = registration
        if Self.needsLook(snapshot?.entry.credential) {
            // The look was in vain: what comes next is told by an event, or by the store.
            guard !registration.hasLooked, policy.mode == .proactive else { return machine.disarm(id) }
            // No token is known: it is looked up in its turn, as if that might end within its lead.
            arm(id, in: .zero, end: policy.lead, isWallBound: false, at: now)
            return
        }
        let judgement = snapshot.flatMap { snapshot in
            RefreshJudgement(snapshot.entry.credential, policy: policy, at: now, spread: machine.drawSpread())
        }
        guard let judgement else { return machine.disarm(id) }
        arm(id, in: judgement.wait, end: judgement.end, isWallBound: judgement.isWallBound, at: now)
    }

    private func arm(_ id: RefreshMachine.ID, in wait: Duration, end: Duration, isWallBound: Bool, at now: Moment) {
        let (wait, end) = (wait.nanoseconds, end.nanoseconds)
        machine.arm(id, in: wait, end: end, isWallBound: isWallBound, at: ClockReading(now))
    }

    /// Whether nothing is known of a credential, or no token though somebody is signed in.
    static func needsLook(_ credential: StoredCredential?) -> Bool {
        guard let credential else { return true }
        return credential.state == .signedIn && credential.accessTokens[.primary] == nil
    }

    /// Counts and tells what became of a renewal.
    func note(_ kind: RefreshEvent.Kind, of session: Session, at now: Moment) {
        switch kind {
        case .renewed(let late):
            totals.renewed += 1
            if late > .zero { totals.late += 1 }
        case .failed, .stopped: totals.failed += 1
        case .unneeded, .clockStepped, .overslept: break
        }
        listeners.tell(RefreshEvent(kind, credential: session.id, at: now.wall))
    }

    /// Reads the clocks.
    var now: Moment { time.now }

    private func report(_ step: RefreshMachine.Step, at now: Moment) {
        if let by = step.clockStep {
            totals.clockSteps += 1
            listeners.tell(RefreshEvent(.clockStepped(by: by), at: now.wall))
        }
        if let overslept = step.overslept { listeners.tell(RefreshEvent(.overslept(overslept), at: now.wall)) }
    }

    /// Looks again at some of those with nothing to renew: somebody may have signed in.
    private func pollIdle(at now: Moment) {
        guard machine.idleCount > 0, now.since(idlePoll.last) >= Self.idleInterval else { return }
        // All within eight looks, or a thousand at a time where they are few.
        let (idle, next) = machine.idle(from: idlePoll.next, limit: max(1024, machine.idleCount / 8))
        idlePoll = (now, next)
        for id in idle {
            guard let registration = registrations[Int(id.index)],
                registration.session.cell.snapshot?.entry.version.revision != registration.judged
            else { continue }
            judge(id, at: now)
        }
    }

    /// Sleeps so long, unless the sleeper wakes earlier anyway.
    private func sleep(for length: Duration?, at now: Moment) {
        guard let length else {
            sleeper?.task.cancel()
            sleeper = nil
            return
        }
        if let sleeper, sleeper.length - now.since(sleeper.start) <= length { return }
        sleeper?.task.cancel()
        let task = Task { [weak self, time] in
            do {
                try await time.sleep(for: length)
            } catch {
                return  // A shorter sleep took its place, or the scheduler is gone.
            }
            await self?.sleeperWoke()
        }
        sleeper = (task, now, length)
    }

    private func sleeperWoke() {
        guard !Task.isCancelled else { return }
        sleeper = nil
        wake()
    }
}
