import AuthKitCore
import AuthKitTesting
import Testing

/// How a session uses leases: one for all its callers, and none that it no longer has.
@Suite struct LeaseUseTests {
    @Test func `callers that come while a renewal is under way join it and ask for no lease`() async throws {
        let store = WatchedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await rig.session(provider)
        let before = store.leases
        let first = Task { try await session.token() }
        await latch.someoneArrived()
        let others = (0..<20).map { _ in Task { try await session.token() } }
        for _ in 0..<1000 { await Task.yield() }
        latch.open()
        for call in [first] + others { #expect(try await call.value.token.value.reveal() == "access-2") }
        #expect(store.leases == before + 1)
    }

    @Test func `a lease that was lost before the token was sent sends nothing`() async throws {
        let store = WatchedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        store.loseLeases()
        let session = try await rig.session()
        await #expect { try await session.token() } throws: { ($0 as? StoreError)?.code == .leaseLost }
        #expect(rig.issuer.renewals == 0)
        #expect(try await rig.stored()?.intents.isEmpty == true)
    }

    @Test func `what came while a lease was waited for in vain is taken without a failure`() async throws {
        let store = WatchedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let session = try await rig.session()
        store.beforeNextLease {
            let vault = try await rig.vault()
            let entry = try #require(await vault.load(rig.id))
            var renewed = entry.credential
            let expiry = Expiry.after(.seconds(900), from: rig.time.now)
            renewed.accessTokens[.primary] = HeldToken(Secret("theirs"), expiry: expiry)
            try await vault.save(renewed, replacing: entry.version)
            throw StoreError(.busy, "Another one holds the lease, as the test wants it.")
        }
        let issued = try await session.token()
        #expect(issued.token.value.reveal() == "theirs")
        #expect(issued.renewalFailure == nil)
        #expect(rig.issuer.renewals == 0)
    }
}
