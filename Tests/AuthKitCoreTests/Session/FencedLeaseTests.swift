import AuthKitCore
import AuthKitTesting
import Testing

/// Leases that can expire: kept while they are needed, never trusted longer than they last.
@Suite struct FencedLeaseTests {
    private func renewing(
        _ rig: SessionRig,
        while work: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Session {
        var provider = rig.provider()
        provider.beforeAnswer = work
        return try await rig.session(provider)
    }

    @Test func `the lease is confirmed between the save of the intent and the request`() async throws {
        let store = FencedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        store.loseLease(afterSaves: 1)  // The intent is saved, and took long.
        let session = try await rig.session()
        await #expect { try await session.token() } throws: { ($0 as? StoreError)?.code == .leaseLost }
        #expect(rig.issuer.renewals == 0)
    }

    @Test func `where that fails nothing is sent, and no send is counted, however often`() async throws {
        let store = FencedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        store.failConfirmations(as: .inputOutput)
        let session = try await rig.session()
        for _ in 0..<3 {
            await #expect { try await session.token() } throws: { ($0 as? StoreError)?.code == .inputOutput }
            #expect(try await rig.stored()?.intents.isEmpty == true)
        }
        store.failConfirmations(as: nil)
        #expect(try await session.token().token.value.reveal() == "access-2")
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `it is extended for as long as the renewal takes`() async throws {
        let store = FencedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let latch = Latch()
        let session = try await renewing(rig) { await latch.pass() }
        let call = Task { try await session.token() }
        await latch.someoneArrived()
        for _ in 0..<3 {
            let before = store.extensions
            await rig.time.waitForSleepers(1)
            rig.time.advance(by: .seconds(5))
            while store.extensions == before { await Task.yield() }
        }
        latch.open()
        _ = try await call.value
        #expect(store.extensions == 4)  // Once before the intent, then every five seconds.
        while try await session.isRenewing() { await Task.yield() }
        #expect(rig.time.remainingSleeps.isEmpty)
    }

    @Test func `that of a sign-in is kept while the person takes their time`() async throws {
        let store = FencedStore()
        let rig = SessionRig(store: store)
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeSignIn = { await latch.pass() }
        let session = try await rig.session(provider)
        let call = Task { try await session.signIn(through: NoAgent()) }
        await latch.someoneArrived()
        await rig.time.waitForSleepers(2)  // The person's limit and the lease.
        rig.time.advance(by: .seconds(5))
        while store.extensions == 0 { await Task.yield() }
        latch.open()
        _ = try await call.value
        #expect(store.extensions == 1)
    }

    @Test func `an answer that came after the lease lapsed is saved under a new one`() async throws {
        let store = FencedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let session = try await renewing(rig) { store.loseLease() }
        let pump = Task { await rig.pump() }
        defer { pump.cancel() }
        #expect(try await session.token().token.value.reveal() == "access-2")
        while try await session.isRenewing() { await Task.yield() }  // The new lease is given back as well.
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "refresh-2")
    }

    @Test func `an answer that came after another holder's is dropped, and the other's is used`() async throws {
        let store = FencedStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let session = try await renewing(rig) {
            store.loseLease()
            let vault = try await rig.vault()
            guard let entry = try await vault.load(rig.id) else { return }
            var theirs = entry.credential
            theirs.intents = [:]
            theirs.refreshToken = HeldToken(Secret("their-refresh"))
            theirs.accessTokens[.primary] = HeldToken(
                Secret("their-access"),
                expiry: .after(.seconds(900), from: rig.time.now)
            )
            try await vault.save(theirs, replacing: entry.version)
        }
        let pump = Task { await rig.pump() }
        defer { pump.cancel() }
        #expect(await sessionCode { try await session.token() } == .superseded)
        #expect(try await session.token().token.value.reveal() == "their-access")
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "their-refresh")
    }
}
