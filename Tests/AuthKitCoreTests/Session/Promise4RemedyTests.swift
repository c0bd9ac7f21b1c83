import AuthKitCore
import AuthKitTesting
import Testing

@Suite("Promise 4: transient is not fatal, fatal is not retried")
struct Promise4RemedyTests {
    @Test(arguments: [MemoryProvider.Fate.notSent, .unclear, .answerLost])
    func `a failure that may pass serves the token that still lives`(_ fate: MemoryProvider.Fate) async throws {
        let rig = SessionRig()
        _ = try await rig.session().signIn(through: NoAgent())
        rig.time.advance(by: .seconds(3590))
        let issued = try await rig.session(rig.provider([fate])).token()
        #expect(issued.token.value.reveal() == "access-of-alice")
        #expect((issued.renewalFailure as? MemoryFailure) != nil)
        #expect(try await rig.stored()?.state == .signedIn)
        #expect(try await rig.stored()?.problem != nil)
    }

    @Test(arguments: [MemoryProvider.Fate.notSent, .unclear])
    func `any number of them loses nothing`(_ fate: MemoryProvider.Fate) async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        for _ in 0..<10 {
            let session = try await rig.session(rig.provider([fate]))
            await #expect(throws: MemoryFailure.self) { try await session.token() }
        }
        #expect(try await rig.session().token().token.value.reveal() == "access-2")
        #expect(try await rig.stored()?.problem == nil)
    }

    @Test func `a request that never left keeps no intent`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await rig.session(rig.provider([.notSent]))
        await #expect(throws: MemoryFailure.self) { try await session.token() }
        #expect(try await rig.stored()?.intents.isEmpty == true)
    }

    @Test func `after a lost answer the same token is sent once more at most`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let offline = MemoryIssuer()  // Its answers never arrive, whatever it does.
        for _ in 0..<2 {
            let provider = MemoryProvider(issuer: offline, fates: [.answerLost])
            let session = try await rig.session(provider)
            await #expect(throws: MemoryFailure.self) { try await session.token() }
        }
        #expect(await sessionCode { try await rig.session().token() } == .answerLost)
        #expect(rig.issuer.renewals == 0)
        #expect(try await rig.stored()?.state == .signedIn)
    }

    @Test func `invalid_grant after a lost answer says that the answer was lost`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await rig.session(rig.provider([.answerLost]))
        await #expect(throws: MemoryFailure.self) { try await session.token() }
        #expect(rig.issuer.renewals == 1)
        #expect(await sessionCode { try await rig.session().token() } == .answerLost)
        #expect(rig.issuer.reuses == 1)
        #expect(try await rig.stored()?.state == .needsSignIn)
    }

    @Test func `a definite answer after a lost one leaves the doubt`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        for fate in [MemoryProvider.Fate.answerLost, .busy] {
            let session = try await rig.session(rig.provider([fate]))
            await #expect(throws: MemoryFailure.self) { try await session.token() }
        }
        #expect(try await rig.stored()?.intents.values.first?.sends == 1)
        #expect(await sessionCode { try await rig.session().token() } == .answerLost)
    }

    @Test func `a failure that cannot be written down hides no living token`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        _ = try await rig.session().signIn(through: NoAgent())
        rig.time.advance(by: .seconds(3590))
        store.failAfterSaves(1)
        let issued = try await rig.session(rig.provider([.unclear])).token()
        #expect((issued.renewalFailure as? MemoryFailure)?.code == "http_503")
    }

    @Test func `a fatal refusal is not tried again`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let provider = rig.provider([.refused])
        let session = try await rig.session(provider)
        #expect(await sessionCode { try await session.token() } == .refreshRefused)
        #expect(await sessionCode { try await session.token() } == .refreshRefused)
        #expect(try await rig.stored()?.intents.isEmpty == true)
        #expect(rig.issuer.renewals == 0)  // The second call asked nobody: the issuer would have granted.
    }

    @Test func `without a refresh token what is held is served until it ends, and then a sign-in is asked for`()
        async throws
    {
        let rig = SessionRig()
        _ = try await rig.session().signIn(through: NoAgent())
        let vault = try await rig.vault()
        let entry = try #require(await vault.load(rig.id))
        var credential = entry.credential
        credential.refreshToken = nil
        try await vault.save(credential, replacing: entry.version)
        rig.time.advance(by: .seconds(3590))
        let issued = try await rig.session().token()
        #expect((issued.renewalFailure as? SessionError)?.reason == .noRefreshToken)
        #expect(try await rig.stored()?.state == .signedIn)
        rig.time.advance(by: .seconds(10))
        #expect(await sessionCode { try await rig.session().token() } == .noRefreshToken)
    }

    @Test func `a store that is full before anything was sent costs nothing`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        _ = try await rig.session().signIn(through: NoAgent())
        rig.time.advance(by: .seconds(3590))
        store.failAfterSaves(0)
        let issued = try await rig.session().token()
        #expect((issued.renewalFailure as? StoreError)?.code == .full)
        #expect(rig.issuer.renewals == 0)
    }
}
