import AuthKitCore
import Testing

@Suite struct RefreshMachineTests {
    private static let start = Moment(wall: WallTime(seconds: 1_800_000_000), sinceBoot: .seconds(10), boot: "b")
    private static let free = RefreshLimits.Limit(perSecond: 1000, burst: 1000, concurrent: 1000)

    private func key(_ issuer: String = "a") -> IssuerKey {
        IssuerKey(CredentialID(provider: ProviderKind("p"), issuer: issuer, client: "c", slot: "s"))
    }

    private func machine(
        total: RefreshLimits.Limit = free,
        perIssuer: RefreshLimits.Limit = free,
        issuers: [String: RefreshLimits.Limit] = [:],
        renewalLimit: Duration = .seconds(300)
    ) -> RefreshMachine {
        RefreshMachine(
            limits: RefreshLimits(total: total, perIssuer: perIssuer, issuers: issuers),
            renewalLimit: renewalLimit,
            generator: SeededGenerator(7),
            at: Self.start
        )
    }

    private func after(_ duration: Duration) -> Moment {
        Moment(wall: Self.start.wall + duration, sinceBoot: Self.start.sinceBoot + duration, boot: "b")
    }

    /// All sessions, those armed, those that wait, those being renewed.
    private func counts(_ machine: RefreshMachine) -> [Int] {
        let counts = machine.counts
        return [counts.sessions, counts.armed, counts.waiting, counts.running]
    }

    /// A session that is due now.
    private func addDue(_ machine: inout RefreshMachine, end: Int, issuer: String = "a") -> RefreshMachine.ID {
        let id = machine.add(key(issuer))
        machine.arm(id, in: .zero, end: .seconds(end), isWallBound: false, at: Self.start)
        return id
    }

    @Test func `what ends first is started first, across issuers`() {
        var machine = machine(total: .init(perSecond: 1000, burst: 1000, concurrent: 3))
        let ids = [(40, "a"), (10, "b"), (30, "a"), (20, "c"), (50, "b")].map {
            addDue(&machine, end: $0.0, issuer: $0.1)
        }
        let first = machine.advance(to: Self.start).starts
        #expect(first.map(\.id) == [ids[1], ids[3], ids[2]])
        let step = machine.advance(to: Self.start)
        #expect(step.starts.isEmpty)
        machine.finished(first[0], .renewed, at: Self.start)
        let second = machine.advance(to: Self.start)
        #expect(second.starts.map(\.id) == [ids[0]])
    }

    @Test func `what can be on time goes before what is late already`() {
        var machine = machine(total: .init(perSecond: 1, burst: 1, concurrent: 9))
        let late = [addDue(&machine, end: -5), addDue(&machine, end: -50, issuer: "b")]
        let timely = [addDue(&machine, end: 30), addDue(&machine, end: 20, issuer: "b"), addDue(&machine, end: 1)]
        var order: [RefreshMachine.ID] = []
        for second in 0..<5 { order += machine.advance(to: after(.seconds(second))).starts.map(\.id) }
        #expect(order == [timely[2], timely[1], timely[0], late[1], late[0]])
    }

    @Test func `one issuer's limit does not hold up another`() {
        var machine = machine(perIssuer: .init(perSecond: 1, burst: 2, concurrent: 100), issuers: ["c": Self.free])
        for _ in 0..<5 { for issuer in ["a", "b", "c"] { _ = addDue(&machine, end: 60, issuer: issuer) } }
        let first = machine.advance(to: Self.start)
        #expect(first.starts.count == 2 + 2 + 5)
        #expect(first.sleep == .seconds(1))
        let step = machine.advance(to: after(.seconds(1)))
        #expect(step.starts.count == 2)
        #expect(machine.counts.waiting == 4)
    }

    @Test func `no more are under way than may be, for an issuer too`() {
        var machine = machine(perIssuer: .init(perSecond: 1000, burst: 1000, concurrent: 2))
        for _ in 0..<5 { _ = addDue(&machine, end: 60) }
        let first = machine.advance(to: Self.start)
        #expect(first.starts.count == 2)
        // Nothing can begin before one ends: there is no reason to wake before the longest sleep.
        #expect(first.sleep == RefreshMachine.longestSleep)
        machine.finished(first.starts[0], .renewed, at: after(.seconds(1)))
        let step = machine.advance(to: after(.seconds(1)))
        #expect(step.starts.count == 1)
    }

    @Test func `what asked nothing of the issuer does not count against its rate`() {
        var machine = machine(perIssuer: .init(perSecond: 0.01, burst: 1, concurrent: 9))
        for end in 1...3 { _ = addDue(&machine, end: end) }
        for _ in 0..<3 {
            let starts = machine.advance(to: Self.start).starts
            #expect(starts.count == 1)
            for start in starts { machine.finished(start, .unneeded, at: Self.start) }
        }
    }

    @Test func `a failure pauses, longer each time, and its end is forgotten with success`() {
        var machine = machine()
        let id = addDue(&machine, end: 3600)
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<12 {
            let starts = machine.advance(to: after(now)).starts
            #expect(starts.map(\.id) == [id])
            guard let start = starts.first else { return }
            let pause = machine.finished(start, .failed(retryAfter: nil, floor: .seconds(1)), at: after(now))
            guard let pause else { return }
            pauses.append(pause)
            let step = machine.advance(to: after(now + pause - .milliseconds(2)))
            #expect(step.starts.isEmpty)
            now += pause + .milliseconds(1)
        }
        #expect(pauses.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(300) })
        #expect(pauses.suffix(4).max() ?? .zero > .seconds(60))
        guard let start = machine.advance(to: after(now)).starts.first else { return }
        let pauseAfter = machine.finished(start, .renewed, at: after(now))
        #expect(pauseAfter == nil)
        let third = machine.advance(to: after(now + .seconds(9000)))
        #expect(third.starts.isEmpty)
    }

    @Test func `an issuer that asks to be left alone is, by all, for a minute at most`() {
        var machine = machine(perIssuer: .init(perSecond: 1000, burst: 1000, concurrent: 1))
        for _ in 0..<3 { _ = addDue(&machine, end: 60) }
        for start in machine.advance(to: Self.start).starts {
            machine.finished(start, .failed(retryAfter: .seconds(1000), floor: .zero), at: Self.start)
        }
        let step = machine.advance(to: after(.seconds(58)))
        #expect(step.starts.isEmpty)
        let other = addDue(&machine, end: 90, issuer: "b")
        let second = machine.advance(to: after(.seconds(59)))
        #expect(second.starts.map(\.id) == [other])
        let third = machine.advance(to: after(.seconds(60)))
        #expect(third.starts.count == 1)
    }

    @Test func `a renewal that takes too long gives its place up and is not heard any more`() {
        var machine = machine(
            total: .init(perSecond: 1000, burst: 1000, concurrent: 1),
            renewalLimit: .seconds(20)
        )
        let ids = [addDue(&machine, end: 30), addDue(&machine, end: 40)]
        let first = machine.advance(to: Self.start).starts
        let before = machine.advance(to: after(.seconds(19)))
        #expect(before.abandoned.isEmpty)
        let step = machine.advance(to: after(.seconds(20)))
        #expect(step.abandoned.map(\.start.id) == [ids[0]] && step.starts.map(\.id) == [ids[1]])
        #expect(!machine.isUnderWay(first[0]))
        let pauseAfter = machine.finished(first[0], .renewed, at: after(.seconds(21)))
        #expect(pauseAfter == nil)
        #expect(machine.counts.running == 1)
    }

    @Test func `a session that is removed while it is renewed keeps its place until then`() {
        var machine = machine(total: .init(perSecond: 1000, burst: 1000, concurrent: 1))
        let ids = [addDue(&machine, end: 30), addDue(&machine, end: 40)]
        let first = machine.advance(to: Self.start).starts
        machine.remove(ids[0])
        let step = machine.advance(to: Self.start)
        #expect(step.starts.isEmpty)
        machine.finished(first[0], .renewed, at: Self.start)
        let second = machine.advance(to: Self.start)
        #expect(second.starts.map(\.id) == [ids[1]])
        #expect(counts(machine) == [1, 0, 0, 1])
    }

    @Test func `sessions that are disarmed, moved or removed while they wait are not started`() {
        var machine = machine(total: .init(perSecond: 1, burst: 1, concurrent: 9))
        let ids = (1...500).map { addDue(&machine, end: $0) }
        _ = machine.advance(to: Self.start)
        for id in ids[1..<200] { machine.disarm(id) }
        for id in ids[200..<400] { machine.remove(id) }
        for id in ids[400..<499] {
            machine.arm(id, in: .seconds(500), end: .seconds(600), isWallBound: false, at: Self.start)
        }
        #expect(counts(machine) == [300, 99, 1, 1])
        let step = machine.advance(to: after(.seconds(1)))
        #expect(step.starts.map(\.id) == [ids[499]])
        let second = machine.advance(to: after(.seconds(2)))
        #expect(second.starts.isEmpty)
    }

    @Test func `a machine without sessions does not sleep, one without deadlines sleeps half a minute`() {
        var machine = machine()
        let step = machine.advance(to: Self.start)
        #expect(step.sleep == nil)
        let id = machine.add(key())
        let second = machine.advance(to: Self.start)
        #expect(second.sleep == .seconds(30))
        machine.arm(id, in: .seconds(5), end: .seconds(60), isWallBound: false, at: Self.start)
        let third = machine.advance(to: Self.start)
        #expect(third.sleep.map { $0 <= .seconds(5) } ?? false)
        machine.remove(id)
        let fourth = machine.advance(to: Self.start)
        #expect(fourth.sleep == nil)
    }

    @Test func `issuers without sessions are forgotten, their limits are not`() {
        var machine = machine(perIssuer: .init(perSecond: 0.001, burst: 1, concurrent: 9))
        let spent = addDue(&machine, end: 60, issuer: "spent")
        let starts = machine.advance(to: Self.start).starts
        machine.finished(starts[0], .renewed, at: Self.start)
        machine.remove(spent)
        for number in 0..<5000 { machine.remove(machine.add(key("issuer-\(number)"))) }
        #expect(machine.byteCount < 200_000)
        _ = addDue(&machine, end: 60, issuer: "spent")
        let step = machine.advance(to: Self.start)
        #expect(step.starts.isEmpty)
    }

    @Test func `time that passed before another boot is told by the wall clock`() {
        var machine = machine()
        let id = machine.add(key())
        machine.arm(id, in: .seconds(60), end: .seconds(120), isWallBound: true, at: Self.start)
        let before = machine.advance(to: after(.seconds(59)))
        #expect(before.starts.isEmpty)
        let restored = Moment(wall: Self.start.wall + .seconds(61), sinceBoot: .seconds(1), boot: "c")
        let step = machine.advance(to: restored)
        #expect(step.starts.map(\.id) == [id] && step.clockStep == .zero)
    }
}
