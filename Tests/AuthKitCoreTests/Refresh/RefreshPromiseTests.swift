import AuthKitCore
import AuthKitTesting
import Testing

/// Sessions under a scheduler: suspend, steps and a wrong clock hand out no stale token and make no storm.
@Suite(.timeLimit(.minutes(1))) struct RefreshPromiseTests {
    private static let limits = RefreshLimits(
        total: .init(perSecond: 20, burst: 1, concurrent: 4),
        perIssuer: .init(perSecond: 20, burst: 1, concurrent: 4)
    )

    private func peak(_ requests: [TimedProvider.Request]) -> Int {
        requests.indices.map { first in
            requests[first...].prefix { $0.at.since(requests[first].at) < .seconds(1) }.count
        }.max() ?? 0
    }

    private func start(_ rig: RefreshRig, _ provider: TimedProvider, _ count: Int) async throws -> [Session] {
        let sessions = (0..<count).map { provider.session("slot-\($0)", rig.vault) }
        for session in sessions { await rig.scheduler.add(session) }
        await rig.pass(.seconds(60))
        #expect(provider.requests.count == count)
        return sessions
    }

    /// Every session gives a token that the issuer takes.
    private func expectGoodTokens(_ sessions: [Session], _ provider: TimedProvider) async throws {
        for session in sessions {
            let issued = try await session.token(validFor: .seconds(1))
            #expect(provider.isGood(issued.token.value))
        }
    }

    @Test func `after eight hours of sleep`() async throws {
        let rig = try await RefreshRig(limits: Self.limits)
        let provider = TimedProvider(time: rig.time)
        let sessions = try await start(rig, provider, 100)
        rig.time.advance(by: .seconds(8 * 3600))
        await rig.pass(.seconds(30))
        #expect(provider.requests.count == 200)
        #expect(peak(provider.requests) <= 20)
        try await expectGoodTokens(sessions, provider)
        #expect(provider.requests.count == 200)
        #expect(await rig.scheduler.status.late == 100)
    }

    @Test(arguments: [3600, -3600]) func `after a step of an hour`(step: Int) async throws {
        let rig = try await RefreshRig(limits: Self.limits)
        // The issuer names ends by its own clock, which is right until ours is stepped.
        let provider = TimedProvider(time: rig.time)
        provider.offset = .zero
        let sessions = try await start(rig, provider, 50)
        await rig.pass(.seconds(600))
        rig.time.stepWall(by: .seconds(step))
        provider.offset = .seconds(-step)
        await rig.pass(.seconds(60))
        #expect(await rig.scheduler.status.clockSteps == 1)
        // Forwards the tokens look ended, and are renewed once; backwards they look longer-lived than they are.
        #expect(provider.requests.count == (step > 0 ? 100 : 50))
        for _ in 0..<60 {
            let before = provider.requests.count
            try await expectGoodTokens(sessions, provider)
            #expect(provider.requests.count == before)
            await rig.pass(.seconds(60))
        }
        #expect(provider.requests.count == (step > 0 ? 150 : 100))
        #expect(peak(provider.requests) <= 20)
    }

    @Test(arguments: [600, -600]) func `with a clock that is ten minutes wrong`(offset: Int) async throws {
        let rig = try await RefreshRig(limits: Self.limits)
        var provider = TimedProvider(time: rig.time)
        provider.offset = .seconds(offset)
        provider.lifetime = .seconds(400)
        let sessions = try await start(rig, provider, 20)
        for _ in 0..<60 {
            await rig.pass(.seconds(60))
            let before = provider.requests.count
            try await expectGoodTokens(sessions, provider)
            #expect(provider.requests.count == before)
        }
        // Every 340 s in 3660 s, and not oftener.
        #expect(provider.requests.count <= 20 * 11)
        #expect(peak(provider.requests) <= 20)
    }
}
