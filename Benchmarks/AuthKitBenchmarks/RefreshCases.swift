import AuthKitCore

/// The timers of a million sessions: armed, moved, cancelled; and all due at once.
struct RefreshCases {
    /// One thing done to every timer.
    enum Work: String, CaseIterable {
        case arm, rearm, cancel
    }

    /// In which order the timers are gone through.
    enum Order: String, CaseIterable {
        case ordered, random
    }

    static let count = 1_000_000
    private static let rounds = 9
    /// By how much a token outlives the time at which it is renewed, in nanoseconds.
    private static let lead: Int64 = 60_000_000_000
    private static let goTimers = "go-timers"

    let options: BenchmarkOptions
    private let now = SystemTime().now
    private let key = IssuerKey(
        CredentialID(provider: ProviderKind("benchmark"), issuer: "none", client: "c", slot: "bench")
    )

    init(_ options: BenchmarkOptions) {
        self.options = options
    }

    /// Runs the cases that are asked for.
    func run(into report: inout Report) async throws {
        try runTimers(into: &report)
        if options.wants("refresh.storm") { report.add(try storm()) }
    }

    /// Arms a million sessions, arms them anew and disarms them, in turn with Go's timers where that peer is there.
    private func runTimers(into report: inout Report) throws {
        let names = Order.allCases.flatMap { order in Work.allCases.map { "refresh.\($0).\(order)" } }
        guard names.contains(where: options.wants) else { return }
        let peer = try options.peers.first { $0.name == Self.goTimers }
            .map { try ChildProcess([$0.path], isAsked: true) }
        defer { peer?.end() }
        for order in Order.allCases {
            var own: [[Double]] = [[], [], []]
            var other: [[Double]] = [[], [], []]
            var bytes = (own: 0, other: 0)
            for _ in 0..<Self.rounds {
                let sample = Sample(order)
                let times = time(sample)
                for work in 0..<3 { own[work].append(times.work[work]) }
                bytes.own = times.bytes
                guard let peer else { continue }
                let answer = try peer.ask(order.rawValue).split(separator: " ").compactMap { Double($0) }
                guard answer.count == 4 else { throw BenchmarkError("A peer gave another answer.") }
                for work in 0..<3 { other[work].append(answer[work]) }
                // The first time counts: later its own table has the room already.
                bytes.other = max(bytes.other, Int(answer[3]))
            }
            for (index, work) in Work.allCases.enumerated() where options.wants("refresh.\(work).\(order)") {
                var measured = Measurement(
                    "refresh.\(work).\(order)",
                    rounds: own[index],
                    iterations: Self.rounds * Self.count,
                    note: "a million sessions"
                )
                if work == .arm { measured.add(note: "\(bytes.own) B a session") }
                if !other[index].isEmpty {
                    measured.baseline = Measurement.Baseline(
                        name: "Go's \(work.nameInGo)",
                        median: other[index].median,
                        ratio: zip(own[index], other[index]).map { $0 / $1 }.median
                    )
                    if work == .arm { measured.add(note: "of Go \(bytes.other) B") }
                }
                report.add(measured)
            }
        }
    }

    /// Nanoseconds for each piece of work, and the bytes that an armed session takes, unused room included.
    private func time(_ sample: Sample) -> (work: [Double], bytes: Int) {
        let reading = ClockReading(now)
        var machine = RefreshMachine(at: now)
        var ids: [RefreshMachine.ID] = []
        ids.reserveCapacity(Self.count)
        for _ in 0..<Self.count { ids.append(machine.add(key)) }
        let before = Stopwatch.clock()
        for (visit, index) in sample.orders[0].enumerated() {
            machine.arm(
                ids[index],
                in: sample.first[visit],
                end: sample.first[visit] + Self.lead,
                isWallBound: false,
                at: reading
            )
        }
        let armed = Stopwatch.clock()
        let bytes = machine.byteCount
        for (visit, index) in sample.orders[1].enumerated() {
            machine.arm(
                ids[index],
                in: sample.second[visit],
                end: sample.second[visit] + Self.lead,
                isWallBound: false,
                at: reading
            )
        }
        let moved = Stopwatch.clock()
        for index in sample.orders[2] { machine.disarm(ids[index]) }
        let disarmed = Stopwatch.clock()
        precondition(machine.counts.armed == 0, "everything was cancelled")
        let count = Double(Self.count)
        return ([armed - before, moved - armed, disarmed - moved].map { $0 / count }, bytes / Self.count)
    }

    /// A million sessions whose tokens end within one second, worked off at a thousand a second.
    private func storm() throws -> Measurement {
        let rate = 1000
        let limit = RefreshLimits.Limit(perSecond: Double(rate), burst: 1, concurrent: 64)
        var machine = RefreshMachine(limits: RefreshLimits(total: limit, perIssuer: limit), at: now)
        var ends: [Int64] = []
        let reading = ClockReading(now)
        for number in 0..<Self.count {
            let end = 3_600_000_000_000 + Int64(number) * 1000
            machine.arm(machine.add(key), in: end - Self.lead, end: end, isWallBound: false, at: reading)
            ends.append(end)
        }
        var (clock, starts, onTime): (Duration, [Duration], Int) = (.zero, [], 0)
        var bytes = 0
        let before = Stopwatch.clock()
        while starts.count < Self.count {
            let moment = Moment(wall: now.wall + clock, sinceBoot: now.sinceBoot + clock, boot: now.boot)
            let step = machine.advance(to: moment)
            for start in step.starts {
                starts.append(clock)
                if start.late == .zero { onTime += 1 }
                machine.finished(start, .renewed, at: moment)
            }
            bytes = max(bytes, machine.byteCount)
            clock += step.sleep ?? .seconds(1)
        }
        let time = (Stopwatch.clock() - before) / Double(Self.count)
        let peak = Self.peak(starts)
        let best = Self.mostOnTime(ends, slot: 1_000_000_000 / Int64(rate))
        guard peak <= rate, onTime >= best - 1 else {
            throw BenchmarkError("The storm: \(peak) renewals in a second, \(onTime) on time where \(best) can be.")
        }
        let note =
            "a renewal; at most \(peak) in a second, \(onTime) on time of \(best) that can be, "
            + "\(bytes / Self.count) B a session at most"
        return Measurement("refresh.storm", rounds: [time], iterations: Self.count, note: note)
    }

    /// The most starts in any second.
    private static func peak(_ starts: [Duration]) -> Int {
        var (first, peak) = (0, 0)
        for (last, start) in starts.enumerated() {
            while start - starts[first] >= .seconds(1) { first += 1 }
            peak = max(peak, last - first + 1)
        }
        return peak
    }

    /// How many can begin before their ends, sorted, one in each slot from a minute before the end on.
    private static func mostOnTime(_ ends: [Int64], slot: Int64) -> Int {
        var (free, onTime): (Int64, Int) = (.min, 0)
        for end in ends {
            let start = max(free, end - 60_000_000_000)
            guard start < end else { continue }
            onTime += 1
            free = start + slot
        }
        return onTime
    }
}

extension RefreshCases.Work {
    /// What Go calls it.
    fileprivate var nameInGo: String {
        switch self {
        case .arm: "AfterFunc"
        case .rearm: "Timer.Reset"
        case .cancel: "Timer.Stop"
        }
    }
}

extension RefreshCases {
    /// The orders in which the sessions are gone through, and for each visit a deadline, in nanoseconds from now.
    ///
    /// An order for each piece of work: a second walk in the order of the first would find in a row whatever the first
    /// had made. Deadlines, an hour to two from now, when they are armed and when they are moved.
    fileprivate struct Sample {
        let first: [Int64]
        let second: [Int64]
        let orders: [[Int]]

        init(_ order: Order) {
            let all = 0..<RefreshCases.count
            let hour: Int64 = 3_600_000_000_000
            first = all.map { _ in Int64.random(in: hour..<2 * hour) }
            second = all.map { _ in Int64.random(in: hour..<2 * hour) }
            orders = Work.allCases.map { _ in order == .ordered ? Array(all) : all.shuffled() }
        }
    }
}
