import AuthKitCore
import Testing

/// Everything ends in the same second; `scripts/bench refresh` does the same with a million sessions.
@Suite struct RefreshStormTests {
    private static let rate = 200
    private static let limits = RefreshLimits(
        total: .init(perSecond: Double(rate), burst: 1, concurrent: 1000),
        perIssuer: .init(perSecond: Double(rate), burst: 1, concurrent: 1000)
    )

    @Test func `twenty thousand sessions that end in one second are renewed at the limit, as many on time as can be`()
        throws
    {
        var simulation = try RefreshSimulation(Self.limits)
        let count = 20_000
        for number in 0..<count { simulation.add(endingIn: .nanoseconds(3_600_000_000_000 + number * 50_000)) }
        // A few end later: what is late already must not make them late.
        for _ in 0..<100 { simulation.add(endingIn: .seconds(3630)) }
        simulation.run(for: .seconds(3700))
        #expect(simulation.peak <= Self.rate)
        #expect(simulation.requests.count == count + 100)
        #expect(Set(simulation.requests.map(\.number)).count == count + 100)
        // From a lead of 60 s on, 200 a second: 12,000 before the second of the ends, 200 within it.
        let onTime = simulation.requests.count { $0.at < $0.end }
        #expect(onTime >= 60 * Self.rate + 100 && onTime <= 61 * Self.rate + 100)
        #expect(onTime == Self.reference(ends: simulation.requests.map(\.end), lead: .seconds(60), rate: Self.rate))
        #expect(simulation.machine.byteCount / (count + 100) <= 100)
    }

    @Test(arguments: 0..<4) func `none is late that could be on time`(seed: UInt64) throws {
        // Random ends in bunches that are now more, now less than the limit allows.
        var random = SeededGenerator(seed)
        var simulation = try RefreshSimulation(Self.limits, latency: .zero)
        for _ in 0..<20 {
            let bunch = Duration.milliseconds(Int.random(in: 120_000...200_000, using: &random))
            for _ in 0..<Int.random(in: 10...1500, using: &random) {
                simulation.add(endingIn: bunch + .milliseconds(Int.random(in: 0...9000, using: &random)))
            }
        }
        simulation.run(for: .seconds(600))
        let onTime = simulation.requests.count { $0.at < $0.end }
        let best = Self.reference(ends: simulation.requests.map(\.end), lead: .seconds(60), rate: Self.rate)
        // The machine's slots begin when the first is due, the reference's at full periods: one slot a bunch.
        #expect(onTime >= best - 20 && onTime <= best + 20)
        #expect(simulation.peak <= Self.rate)
    }

    @Test func `within the limit nobody is late`() throws {
        var random = SeededGenerator(99)
        var simulation = try RefreshSimulation(Self.limits, policy: RefreshPolicy(jitter: 0.1))
        for _ in 0..<5000 {
            simulation.add(endingIn: .milliseconds(Int.random(in: 100_000...3_600_000, using: &random)))
        }
        simulation.run(for: .seconds(8000))
        #expect(simulation.lateRequests.isEmpty && simulation.requests.count > 10_000)
        #expect(simulation.peak <= Self.rate)
        // Jitter has nothing to do with looking about: a look for each start and answer, and the half minutes.
        #expect(simulation.looks < 4 * simulation.requests.count + 1000)
    }

    /// How many of the renewals can begin before the end of their token: one in each slot, the earliest end first.
    private static func reference(ends: [Duration], lead: Duration, rate: Int) -> Int {
        let slot = 1_000_000_000 / Int64(rate)
        let nanoseconds = ends.map { end in
            let (seconds, attoseconds) = end.components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }.sorted()
        let lead = lead.components.seconds * 1_000_000_000
        // All have the same lead, so that the order of the ends is that of the due times too.
        var (free, onTime): (Int64, Int) = (.min, 0)
        for end in nanoseconds {
            let start = max(free, end - lead)
            guard start < end else { continue }
            onTime += 1
            free = start + slot
        }
        return onTime
    }
}
