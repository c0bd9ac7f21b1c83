import AuthKitCore
import AuthKitTesting
import Testing

/// The end of a session, and of those who listen to it.
@Suite struct SessionDisposalTests {
    @Test func `later calls are refused, fresh tokens too`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        let source = session.tokenSource()
        #expect(try await source.token() == "access-of-alice")
        session.dispose()
        session.dispose()
        #expect(session.state == .disposed)
        #expect(await sessionCode { try await session.token() } == .disposed)
        #expect(await sessionCode { try await source.token() } == .disposed)
        #expect(await sessionCode { try await session.perform { _ in .value(1) } } == .disposed)
        #expect(await sessionCode { try await session.signIn(through: NoAgent()) } == .disposed)
        #expect(await sessionCode { try await session.signOut() } == .disposed)
        #expect(await sessionCode { try await session.status() } == .disposed)
        #expect(await sessionCode { try await session.isRenewing() } == .disposed)
    }

    @Test func `the renewal that others share goes on, and who waits gets its result`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let vault = try await rig.vault()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let first = try await rig.session(provider, vault: vault)
        let second = try await rig.session(vault: vault)
        let one = Task { try await first.token() }
        await latch.someoneArrived()
        let two = Task { try await second.token() }
        for _ in 0..<100 { await Task.yield() }
        first.dispose()
        #expect(second.state == .refreshing)
        latch.open()
        #expect(try await one.value.token.value.reveal() == "access-2")
        #expect(try await two.value.token.value.reveal() == "access-2")
        #expect(rig.issuer.renewals == 1)
        #expect(second.state == .signedIn)
    }

    @Test func `subscribers end, those who wait and those who come later`() async throws {
        let session = try await SessionRig().session()
        let waiting = Task { [events = session.events] in
            var seen: [SessionEvent] = []
            for await event in events { seen.append(event) }
            return seen
        }
        for _ in 0..<100 { await Task.yield() }
        session.dispose()
        #expect(await waiting.value == [.disposed])
        for await event in session.events { Issue.record("\(event)") }
    }

    @Test func `a session that is gone ends its subscribers`() async throws {
        var session: Session? = try await SessionRig().session()
        let events = try #require(session).events
        session = nil
        for await event in events { Issue.record("\(event)") }
    }

    @Test func `a subscriber that is cancelled returns at once and takes nothing from others`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        let events = session.events
        let cancelled = Task {
            var iterator = events.makeAsyncIterator()
            return await iterator.next()
        }
        for _ in 0..<100 { await Task.yield() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        _ = try await session.signIn(through: NoAgent())
        var iterator = events.makeAsyncIterator()
        guard case .signedIn = await iterator.next() else {
            Issue.record("the sign-in was lost")
            return
        }
    }
}
