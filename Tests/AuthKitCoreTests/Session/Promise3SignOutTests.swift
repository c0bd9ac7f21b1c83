import AuthKitCore
import AuthKitTesting
import Testing

@Suite("Promise 3: sign-out wins")
struct Promise3SignOutTests {
    /// A session whose refresh hangs at the issuer until the latch opens.
    private func hangingRefresh(_ rig: SessionRig) async throws -> (call: Task<IssuedToken, any Error>, latch: Latch) {
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await rig.session(provider)
        let call = Task { try await session.token() }
        await latch.someoneArrived()
        return (call, latch)
    }

    @Test func `sign-out does not wait for a refresh that hangs, and its answer is dropped and revoked`() async throws {
        let rig = SessionRig()
        let (call, latch) = try await hangingRefresh(rig)
        let report = try await rig.session().signOut()
        #expect(report.wasSignedIn)
        latch.open()
        #expect(await sessionCode { try await call.value } == .signedOut)
        #expect(try await rig.stored()?.state == .signedOut)
        #expect(try await rig.stored()?.refreshToken == nil)
        #expect(rig.issuer.revoked == ["refresh-1", "refresh-2"])
    }

    @Test func `a new sign-in while a refresh hangs is not overwritten, nor is its grant revoked`() async throws {
        let rig = SessionRig()
        let (call, latch) = try await hangingRefresh(rig)
        var provider = rig.provider()
        provider.subject = "bob"
        _ = try await rig.session(provider).signIn(through: NoAgent())
        latch.open()
        #expect(await sessionCode { try await call.value } == .superseded)
        #expect(try await rig.stored()?.account?.subject == "bob")
        #expect(rig.issuer.revoked.isEmpty)
    }

    @Test func `a sign-out while a person is at the browser beats the sign-in`() async throws {
        let rig = SessionRig()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeSignIn = { await latch.pass() }
        let session = try await rig.session(provider)
        let call = Task { await sessionCode { try await session.signIn(through: NoAgent()) } }
        await latch.someoneArrived()
        let report = try await rig.session().signOut()
        #expect(!report.wasSignedIn)
        latch.open()
        #expect(await call.value == .superseded)
        #expect(try await rig.stored()?.state == .signedOut)
    }

    @Test func `a refresh while a person is at the browser does not beat the sign-in`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeSignIn = { await latch.pass() }
        let session = try await rig.session(provider)
        let call = Task { try await session.signIn(through: NoAgent()) }
        await latch.someoneArrived()
        _ = try await rig.session().token()
        latch.open()
        #expect(try await call.value.account?.subject == "alice")
        #expect(try await rig.stored()?.state == .signedIn)
    }

    @Test func `signed out and never signed in differ`() async throws {
        let rig = SessionRig()
        #expect(await sessionCode { try await rig.session().token() } == .signInNeeded)
        _ = try await rig.session().signIn(through: NoAgent())
        _ = try await rig.session().signOut()
        #expect(await sessionCode { try await rig.session().token() } == .signedOut)
    }

    @Test func `a token is not served from memory after sign-out`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        _ = try await session.signOut()
        #expect(await sessionCode { try await session.token() } == .signedOut)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a second sign-in at once waits for the first and takes its result`() async throws {
        let store = WatchedStore()
        let rig = SessionRig(store: store)
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeSignIn = { await latch.pass() }
        let session = try await rig.session(provider)
        let first = Task { try await session.signIn(through: NoAgent()) }
        await latch.someoneArrived()
        var other = rig.provider()
        other.subject = "bob"
        let second = try await rig.session(other)
        let waiting = Task { try await second.signIn(through: NoAgent()) }
        // It has looked at what is stored when it asks for the lease.
        while store.leases < 2, !Task.isCancelled { await Task.yield() }
        latch.open()
        #expect(try await !first.value.joined)
        let report = try await waiting.value
        #expect(report.account?.subject == "alice")
        #expect(report.joined)
    }

    @Test func `a sign-out while somebody who is signed in signs in again beats the sign-in`() async throws {
        let rig = SessionRig()
        _ = try await rig.session().signIn(through: NoAgent())
        var provider = rig.provider()
        provider.beforeSignIn = { _ = try await rig.session().signOut() }
        let session = try await rig.session(provider)
        #expect(await sessionCode { try await session.signIn(through: NoAgent()) } == .superseded)
        #expect(try await rig.stored()?.state == .signedOut)
    }

    @Test func `a sign-out that a new sign-in got ahead of leaves that one alone`() async throws {
        let store = WatchedStore()
        let rig = SessionRig(store: store)
        _ = try await rig.session().signIn(through: NoAgent())
        var provider = rig.provider()
        provider.subject = "bob"
        let other = try await rig.session(provider)
        store.beforeNextSave { _ = try await other.signIn(through: NoAgent()) }
        #expect(try await !rig.session().signOut().wasSignedIn)
        #expect(try await rig.stored()?.account?.subject == "bob")
        #expect(rig.issuer.revoked.isEmpty)
    }

    @Test func `a sign-out that a refresh got ahead of ends what the refresh brought`() async throws {
        let store = WatchedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let other = try await rig.session()
        store.beforeNextSave { _ = try await other.token() }
        #expect(try await rig.session().signOut().wasSignedIn)
        #expect(try await rig.stored()?.state == .signedOut)
        #expect(rig.issuer.revoked == ["refresh-2"])
    }
}
