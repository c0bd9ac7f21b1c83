import AuthKitCore
import AuthKitTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct RefreshSchedulerTests {
    @Test func `a session is renewed its lead before its end, and nobody waits for a token`() async throws {
        let rig = try await RefreshRig()
        let provider = TimedProvider(time: rig.time)
        let session = provider.session("work", rig.vault)
        await rig.scheduler.add(session)
        await rig.settle()
        #expect(provider.requests.count == 1)
        for minute in 1...600 {
            await rig.pass(.seconds(60))
            let before = provider.requests.count
            let issued = try await session.token(validFor: .seconds(59))
            #expect(provider.isGood(issued.token.value) && provider.requests.count == before, "minute \(minute)")
        }
        // Every 3540 s.
        #expect(provider.requests.count == 11)
        let status = await rig.scheduler.status
        #expect(status.sessions == 1 && status.armed == 1 && status.renewed == 11 && status.late == 0)
    }

    @Test func `a token that the store holds is taken without a request`() async throws {
        let rig = try await RefreshRig()
        let provider = TimedProvider(time: rig.time)
        let store = InMemoryStore()
        let key = EnvironmentKey(name: "k") { _ in SessionRig.key }
        _ = try await provider.session("work", Vault.open(store, keySource: key)).token()
        // As in another process: the vault is opened anew, nothing is in memory.
        let session = provider.session("work", try await Vault.open(store, keySource: key))
        await rig.scheduler.add(session)
        await rig.pass(.seconds(3539))
        #expect(provider.requests.count == 1)
        await rig.pass(.seconds(2))
        #expect(provider.requests.count == 2)
    }

    @Test func `what somebody else renewed is not renewed again at its old time`() async throws {
        let rig = try await RefreshRig()
        let provider = TimedProvider(time: rig.time)
        let session = provider.session("work", rig.vault)
        await rig.scheduler.add(session)
        await rig.pass(.seconds(3000))
        _ = try await session.token(for: TokenRequest(reason: .forced))
        await rig.pass(.seconds(3500))
        #expect(provider.requests.count == 2)
        await rig.pass(.seconds(100))
        #expect(provider.requests.count == 3)
    }

    @Test func `failures pause longer and longer, and what the issuer asks for holds`() async throws {
        let rig = try await RefreshRig()
        let failures = [nil, nil, nil, Duration.seconds(900)].map { TimedProvider.Answer.failed(.retry(after: $0)) }
        let provider = TimedProvider(time: rig.time, script: failures)
        await rig.scheduler.add(provider.session("work", rig.vault))
        await rig.pass(.seconds(3000))
        let times = provider.requests.map(\.at)
        #expect(times.count == 5)
        let pauses = zip(times.dropFirst(), times).map { $0.since($1) }
        #expect(pauses.allSatisfy { $0 >= .seconds(1) })
        #expect(pauses.last.map { $0 >= .seconds(900) && $0 <= .seconds(903) } ?? false)
        let status = await rig.scheduler.status
        #expect(status.failed == 4 && status.renewed == 1)
    }

    @Test func `an issuer that has nothing newer is not asked all the time`() async throws {
        let rig = try await RefreshRig()
        let script = [.granted] + [TimedProvider.Answer](repeating: .declined, count: 1000)
        let provider = TimedProvider(time: rig.time, script: script)
        await rig.scheduler.add(provider.session("work", rig.vault))
        await rig.pass(.seconds(3600 + 600))
        #expect((3...40).contains(provider.requests.count))
    }

    @Test func `a set-up that is wrong is tried again every quarter of an hour`() async throws {
        let rig = try await RefreshRig()
        let script = [.granted] + [TimedProvider.Answer](repeating: .failed(.fixConfiguration), count: 100)
        let provider = TimedProvider(time: rig.time, script: script)
        await rig.scheduler.add(provider.session("work", rig.vault))
        await rig.pass(.seconds(3600 + 4 * 3600))
        #expect((14...18).contains(provider.requests.count))
    }

    @Test func `what only a person can mend is not tried again`() async throws {
        let rig = try await RefreshRig()
        let provider = TimedProvider(time: rig.time, script: [.granted, .failed(.signInAgain)])
        let session = provider.session("work", rig.vault)
        var events = rig.scheduler.events.makeAsyncIterator()
        await rig.scheduler.add(session)
        await rig.pass(.seconds(20_000))
        #expect(provider.requests.count == 2)
        let first = await events.next()
        let stop = await events.next()
        #expect(first?.kind == .renewed(late: .zero))
        guard case .stopped = stop?.kind else {
            Issue.record("\(String(describing: stop))")
            return
        }
        #expect(stop?.credential == session.id)
        #expect(await rig.scheduler.status.idle == 1)
    }

    @Test func `a removed session is renewed no longer, and two over one credential are one`() async throws {
        let rig = try await RefreshRig()
        let provider = TimedProvider(time: rig.time)
        let (one, other) = (provider.session("work", rig.vault), provider.session("work", rig.vault))
        await rig.scheduler.add(one)
        await rig.scheduler.add(other)
        await rig.settle()
        #expect(await rig.scheduler.status.sessions == 1)
        await rig.scheduler.remove(other)
        #expect(await rig.scheduler.status.sessions == 0)
        await rig.pass(.seconds(9000))
        #expect(provider.requests.count == 1)
        await rig.scheduler.add(one)
        await rig.settle()
        #expect(provider.requests.count == 2)
    }

    @Test func `a reactive session is left alone`() async throws {
        let rig = try await RefreshRig()
        var provider = TimedProvider(time: rig.time)
        provider.refresh = RefreshPolicy(mode: .reactive)
        let session = provider.session("work", rig.vault)
        await rig.scheduler.add(session)
        await rig.pass(.seconds(9000))
        #expect(provider.requests.isEmpty)
        _ = try await session.token()
        await rig.pass(.seconds(9000))
        #expect(provider.requests.count == 1)
    }

    @Test func `a renewal that hangs gives its place up, and the session is tried again`() async throws {
        let limits = RefreshLimits(total: .init(perSecond: 100, burst: 100, concurrent: 1))
        let rig = try await RefreshRig(limits: limits, renewalLimit: .seconds(90))
        let latch = Latch()
        let provider = TimedProvider(time: rig.time, script: [.held(latch)])
        await rig.scheduler.add(provider.session("stuck", rig.vault))
        await rig.scheduler.add(provider.session("next", rig.vault))
        await latch.someoneArrived()
        for _ in 0..<9 {
            await rig.settle(exceptFor: 1)
            rig.time.advance(by: .seconds(10))
        }
        await rig.settle()
        #expect(provider.requests.map(\.slot) == ["stuck", "next"])
        latch.open()
        await rig.pass(.seconds(30))
        #expect(await rig.scheduler.status.armed == 2)
    }

    @Test func `a listener that is slow loses the oldest, and stop ends all streams`() async throws {
        let rig = try await RefreshRig()
        let provider = TimedProvider(time: rig.time)
        let stream = rig.scheduler.events
        let vault = rig.vault
        for number in 0..<300 { await rig.scheduler.add(provider.session("slot-\(number)", vault)) }
        await rig.pass(.seconds(60))
        #expect(provider.requests.count == 300)
        await rig.scheduler.stop()
        var seen = 0
        for await _ in stream { seen += 1 }
        #expect(seen == 256)
        var after = rig.scheduler.events.makeAsyncIterator()
        let more = await after.next()
        #expect(more == nil)
        await rig.scheduler.add(provider.session("more", vault))
        #expect(await rig.scheduler.status.sessions == 0)
    }
}
