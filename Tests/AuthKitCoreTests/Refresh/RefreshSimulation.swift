@testable import AuthKitCore

/// Sessions, an issuer and a machine's clocks, run through by the machine alone: hours in milliseconds.
struct RefreshSimulation {
    /// What one session holds.
    private struct Holder {
        let id: RefreshMachine.ID
        var credential: StoredCredential
        /// When its token truly ends, on the boot clock.
        var end: Duration
    }

    /// One renewal that was sent.
    struct Request {
        let number: UInt32
        /// On the boot clock.
        let at: Duration
        /// When the token that it replaces ended, on the boot clock.
        let end: Duration
    }

    var machine: RefreshMachine
    let policy: RefreshPolicy
    let lifetime: Duration
    /// How far the issuer's clock is ahead of the wall clock here; learned from answers if `learnsOffset`.
    var offset: Duration
    let learnsOffset: Bool
    /// Whether tokens end at a wall time that the issuer names, not after a lifetime.
    let isWallBound: Bool
    let latency: Duration
    /// How a request is answered, by its number from 0; nil for well.
    var fate: (Int) -> RefreshMachine.Outcome? = { _ in nil }
    private(set) var now: Moment
    private var holders: [UInt32: Holder] = [:]
    private(set) var requests: [Request] = []
    /// How often the machine was looked at.
    private(set) var looks = 0
    private(set) var steps: [Duration] = []
    private(set) var overslept: [Duration] = []
    private var answers: [(at: Duration, start: RefreshMachine.Start, outcome: RefreshMachine.Outcome)] = []
    private var firstAnswer = 0
    private let incarnation: Incarnation

    init(
        _ limits: RefreshLimits,
        policy: RefreshPolicy = RefreshPolicy(jitter: 0),
        lifetime: Duration = .seconds(3600),
        offset: Duration = .zero,
        learnsOffset: Bool = true,
        isWallBound: Bool = false,
        latency: Duration = .milliseconds(50),
        seed: UInt64 = 1
    ) throws {
        incarnation = try .draw()
        now = Moment(wall: WallTime(seconds: 1_800_000_000), sinceBoot: .seconds(5000), boot: "b")
        machine = RefreshMachine(limits: limits, generator: SeededGenerator(seed), at: now)
        self.policy = policy
        self.lifetime = lifetime
        self.offset = offset
        self.learnsOffset = learnsOffset
        self.isWallBound = isWallBound
        self.latency = latency
    }

    /// Adds a session whose token ends after so long.
    mutating func add(endingIn rest: Duration, issuer: String = "a") {
        let name = CredentialID(provider: ProviderKind("p"), issuer: issuer, client: "c", slot: "s")
        let id = machine.add(IssuerKey(name))
        let age = max(.zero, lifetime - rest)
        let received = Moment(wall: now.wall - age, sinceBoot: now.sinceBoot - age, boot: "b")
        holders[id.index] = Holder(
            id: id,
            credential: StoredCredential(id: name, incarnation: incarnation, state: .signedIn),
            end: now.sinceBoot + rest
        )
        keep(rest, receivedAt: received, in: id.index)
        judge(id.index)
    }

    /// Lets time pass, the machine looked at whenever it asks to be.
    mutating func run(for duration: Duration) {
        let end = now.sinceBoot + duration
        while true {
            deliverAnswers()
            let step = machine.advance(to: now)
            looks += 1
            if let by = step.clockStep { steps.append(by) }
            if let slept = step.overslept { overslept.append(slept) }
            for id in step.judged { judge(id.index) }
            for start in step.starts { send(start) }
            var wake = now.sinceBoot + (step.sleep ?? .seconds(30))
            if firstAnswer < answers.count { wake = min(wake, max(now.sinceBoot, answers[firstAnswer].at)) }
            guard wake < end else {
                pass(end - now.sinceBoot)
                return
            }
            pass(wake - now.sinceBoot)
        }
    }

    /// Lets time pass while nobody looks, answers included: the system sleeps.
    mutating func suspend(for duration: Duration) { pass(duration) }

    /// Steps the wall clock; the issuer's stays.
    mutating func stepWall(by step: Duration) {
        now.wall = now.wall + step
        offset -= step
    }

    /// The most requests in any second.
    var peak: Int {
        var (first, peak) = (0, 0)
        for (last, request) in requests.enumerated() {
            while request.at - requests[first].at >= .seconds(1) { first += 1 }
            peak = max(peak, last - first + 1)
        }
        return peak
    }

    /// The requests whose token had ended already.
    var lateRequests: [Request] { requests.filter { $0.at >= $0.end } }

    mutating func forgetRequests() {
        requests = []
        looks = 0
    }

    private mutating func pass(_ duration: Duration) {
        now.wall = now.wall + duration
        now.sinceBoot += duration
    }

    /// Lets a session hold a token that has so long to live.
    private mutating func keep(_ rest: Duration, receivedAt: Moment, in number: UInt32) {
        let end = isWallBound ? Expiry.at(now.wall + offset + rest) : .after(max(lifetime, rest), from: receivedAt)
        let learned = learnsOffset ? offset : nil
        holders[number]?.end = now.sinceBoot + rest
        holders[number]?.credential.renewedAt = receivedAt
        holders[number]?.credential.clockOffset = learned
        holders[number]?.credential.accessTokens[.primary] = HeldToken(Secret("token"), expiry: end)
    }

    private mutating func judge(_ number: UInt32) {
        guard let holder = holders[number] else { return }
        let spread = machine.drawSpread()
        guard let judgement = RefreshJudgement(holder.credential, policy: policy, at: now, spread: spread) else {
            return machine.disarm(holder.id)
        }
        machine.arm(
            holder.id,
            in: judgement.wait,
            end: judgement.end,
            isWallBound: judgement.isWallBound,
            at: now
        )
    }

    private mutating func send(_ start: RefreshMachine.Start) {
        let outcome = fate(requests.count) ?? .renewed
        requests.append(Request(number: start.id.index, at: now.sinceBoot, end: holders[start.id.index]?.end ?? .zero))
        answers.append((now.sinceBoot + latency, start, outcome))
    }

    private mutating func deliverAnswers() {
        while firstAnswer < answers.count, answers[firstAnswer].at <= now.sinceBoot {
            let (_, start, outcome) = answers[firstAnswer]
            firstAnswer += 1
            machine.finished(start, outcome, at: now)
            guard outcome == .renewed else { continue }
            keep(lifetime, receivedAt: now, in: start.id.index)
            judge(start.id.index)
        }
    }
}

extension RefreshMachine {
    /// Arms a session with durations, at a moment.
    mutating func arm(_ id: ID, in wait: Duration, end: Duration, isWallBound: Bool, at now: Moment) {
        arm(id, in: wait.nanoseconds, end: end.nanoseconds, isWallBound: isWallBound, at: ClockReading(now))
    }
}
