import AuthKitCore
import AuthKitTesting
import Testing

@Suite("Promise 7: everything is bounded")
struct Promise7BoundsTests {
    @Test func `another holder of the lease is waited for so long and no longer`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let holder = try await rig.session(provider)
        let held = Task { try await holder.token() }
        await latch.someoneArrived()
        var options = SessionOptions()
        options.leaseWait = .milliseconds(20)
        let session = try await rig.session(options: options)
        #expect(await sessionCode { try await session.token() } == .busy)
        latch.open()
        #expect(try await held.value.token.value.reveal() == "access-2")
    }

    @Test func `a person who never finishes ends the sign-in at its limit`() async throws {
        let rig = SessionRig()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeSignIn = {
            await latch.pass()
            try Task.checkCancellation()
        }
        let session = try await rig.session(provider)
        let call = Task { await sessionCode { try await session.signIn(through: NoAgent(), within: .seconds(300)) } }
        await latch.someoneArrived()
        await rig.time.waitForSleepers(1)
        rig.time.advance(by: .seconds(300))
        #expect(await call.value == .issuerSilent)  // No page was shown so far.
        latch.open()
        #expect(try await rig.stored() == nil)
    }

    @Test func `a caller with a limit of its own is served what lives, and the renewal goes on`() async throws {
        let rig = SessionRig()
        _ = try await rig.session().signIn(through: NoAgent())
        rig.time.advance(by: .seconds(3590))
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        var options = SessionOptions()
        options.callerLimit = .seconds(2)
        let session = try await rig.session(provider, options: options)
        let call = Task { try await session.token() }
        await latch.someoneArrived()
        await rig.time.waitForSleepers(1)
        rig.time.advance(by: .seconds(2))
        let issued = try await call.value
        #expect(issued.token.value.reveal() == "access-of-alice")
        #expect((issued.renewalFailure as? SessionError)?.reason == .callerLimitPassed)
        latch.open()
        #expect(try await session.token().token.value.reveal() == "access-2")
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `a record that changes all the time ends in busy, for a sign-out too`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        store.failAfterSaves(0, as: .conflict)
        let session = try await rig.session()
        #expect(await sessionCode { try await session.token() } == .busy)
        #expect(await sessionCode { try await session.signOut() } == .busy)
        #expect(rig.issuer.renewals == 0)
        #expect(store.failures < 100)
    }

    @Test func `the wait for saves at the end of a process is bounded`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let window = SaveWindow()
        let session = try await rig.session(provider, saveWindow: window)
        let call = Task { try await session.token() }
        await latch.someoneArrived()
        #expect(await !window.drain(within: .milliseconds(30)))
        latch.open()
        _ = try await call.value
        #expect(await window.drain(within: .seconds(5)))
    }
}
