import AuthKitCore
import Testing

/// Suspend, steps of the wall clock and a clock that is wrong: no storm, no busy loop, nothing renewed too late.
@Suite struct RefreshClockTests {
    private static let limits = RefreshLimits(
        total: .init(perSecond: 20, burst: 1, concurrent: 8),
        perIssuer: .init(perSecond: 20, burst: 1, concurrent: 8)
    )

    /// Two thousand sessions, their ends spread over an hour.
    private func spread(
        offset: Duration = .zero,
        learnsOffset: Bool = true,
        isWallBound: Bool = true
    ) throws -> RefreshSimulation {
        var simulation = try RefreshSimulation(
            Self.limits,
            offset: offset,
            learnsOffset: learnsOffset,
            isWallBound: isWallBound
        )
        for number in 0..<2000 { simulation.add(endingIn: .milliseconds(90_000 + number * 1755)) }
        return simulation
    }

    @Test(arguments: [true, false]) func `a suspend of eight hours is worked off at the limit's rate`(
        isWallBound: Bool
    ) throws {
        var simulation = try spread(isWallBound: isWallBound)
        simulation.run(for: .seconds(600))
        #expect(simulation.lateRequests.isEmpty)
        simulation.forgetRequests()
        simulation.suspend(for: .seconds(8 * 3600))
        simulation.run(for: .seconds(200))
        // All 2000 have ended; 20 a second are renewed, once each, and nothing is done beside that.
        #expect(simulation.requests.count == 2000)
        #expect(Set(simulation.requests.map(\.number)).count == 2000)
        #expect(simulation.peak <= 20)
        #expect(simulation.looks < 2 * 2000 + 2 * 200)
        #expect(simulation.overslept.count == 1 && simulation.steps.isEmpty)
        // What ended first came first.
        let ends = simulation.requests.map(\.end)
        #expect(ends == ends.sorted())
    }

    @Test(arguments: [3600, -3600]) func `a step of an hour makes nobody late and no storm`(step: Int) throws {
        var simulation = try spread()
        simulation.run(for: .seconds(600))
        let before = simulation.requests.count
        simulation.stepWall(by: .seconds(step))
        simulation.run(for: .seconds(3000))
        #expect(simulation.steps == [.seconds(step)])
        #expect(simulation.lateRequests.isEmpty)
        #expect(simulation.peak <= 20)
        #expect(simulation.requests.count - before < 2100)
    }

    @Test(arguments: [3600, -3600]) func `a step while the issuer's clock is not known makes no storm`(step: Int) throws
    {
        // Nobody learns the offset: forwards every token seems to have ended, again and again.
        var simulation = try spread(learnsOffset: false)
        simulation.run(for: .seconds(600))
        simulation.forgetRequests()
        simulation.stepWall(by: .seconds(step))
        simulation.run(for: .seconds(1200))
        #expect(simulation.peak <= 20)
        #expect(simulation.looks < 2 * simulation.requests.count + 2000)
        #expect(simulation.lateRequests.isEmpty)
    }

    @Test func `tokens that end after a lifetime do not care for the wall clock`() throws {
        var simulation = try spread(isWallBound: false)
        simulation.run(for: .seconds(600))
        simulation.stepWall(by: .seconds(3600))
        simulation.run(for: .seconds(600))
        simulation.stepWall(by: .seconds(-7200))
        simulation.run(for: .seconds(600))
        var undisturbed = try spread(isWallBound: false)
        undisturbed.run(for: .seconds(1800))
        #expect(simulation.steps == [.seconds(3600), .seconds(-7200)])
        #expect(simulation.requests.map(\.number) == undisturbed.requests.map(\.number))
        #expect(simulation.lateRequests.isEmpty)
    }

    @Test(arguments: [600, -600]) func `a clock that is ten minutes wrong makes nobody late`(offset: Int) throws {
        var simulation = try spread(offset: .seconds(offset))
        simulation.run(for: .seconds(4000))
        #expect(simulation.lateRequests.isEmpty)
        #expect(simulation.peak <= 20)
        #expect((2000...2300).contains(simulation.requests.count))
    }

    @Test(arguments: [true, false]) func `small drift is no step until it adds up`(isForwards: Bool) throws {
        var simulation = try spread()
        let drift = Duration.milliseconds(isForwards ? 90 : -90)
        for _ in 0..<10 {
            simulation.stepWall(by: drift)
            simulation.run(for: .seconds(1))
        }
        #expect(simulation.steps.isEmpty)
        for _ in 0..<2 {
            simulation.stepWall(by: drift)
            simulation.run(for: .seconds(1))
        }
        #expect(simulation.steps.count == 1)
        #expect(simulation.lateRequests.isEmpty)
    }

    @Test func `a step of the clock does not shorten the pause after a failure`() throws {
        var simulation = try RefreshSimulation(Self.limits, isWallBound: true)
        simulation.fate = { $0 == 0 ? .failed(retryAfter: .seconds(300), floor: .zero) : nil }
        simulation.add(endingIn: .seconds(61))
        simulation.run(for: .seconds(10))
        #expect(simulation.requests.count == 1)
        simulation.stepWall(by: .seconds(3600))
        simulation.run(for: .seconds(200))
        simulation.stepWall(by: .seconds(-3600))
        simulation.run(for: .seconds(80))
        #expect(simulation.requests.count == 1)
        simulation.run(for: .seconds(30))
        #expect(simulation.requests.count == 2)
    }
}
