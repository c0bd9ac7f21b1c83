import AuthKitCore
import AuthKitTesting
import Testing

@Suite("Promise 1: a login is never lost to a race")
struct Promise1RaceTests {
    @Test func `a fresh token comes from the snapshot without a load`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        let first = try await session.token()
        #expect(first.token.value.reveal() == "access-of-alice")
        #expect(!first.refreshed)
        #expect(rig.issuer.renewals == 0)
    }

    @Test func `ten thousand callers at expiry make one renewal`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await rig.session()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10_000 { group.addTask { try await session.token().token.value.reveal() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tokens == ["access-2"])
        #expect(rig.issuer.renewals == 1)
        #expect(rig.issuer.reuses == 0)
    }

    @Test func `a thousand callers whose token was refused make one renewal`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        let refused = try await session.token().token.fingerprint
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    let issued = try await session.token(for: TokenRequest(reason: .rejected(refused)))
                    #expect(issued.token.fingerprint != refused)
                }
            }
            try await group.waitForAll()
        }
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `two sessions over one vault share one renewal`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let vault = try await rig.vault()
        let first = try await rig.session(vault: vault)
        let second = try await rig.session(vault: vault)
        async let one = first.token()
        async let two = second.token()
        #expect(try await one.token == two.token)
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `sixteen processes at expiry make one renewal`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try await rig.session().token().token.value.reveal() } }
            for try await token in group { #expect(token == "access-2") }
        }
        #expect(rig.issuer.renewals == 1)
        #expect(rig.issuer.reuses == 0)
    }

    @Test func `several forced renewals at once share one`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = {
            await latch.pass()
            rig.time.advance(by: .milliseconds(5))  // The answer comes after everybody asked.
        }
        let slow = try await rig.session(provider)
        async let one = slow.token(for: TokenRequest(reason: .forced))
        await latch.someoneArrived()
        let other = try await rig.session()
        async let two = other.token(for: TokenRequest(reason: .forced))
        latch.open()
        #expect(try await one.refreshed)
        #expect(try await two.token.value.reveal() == "access-2")
        #expect(try await two.refreshed)
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `a forced renewal renews a token that is fresh`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        rig.time.advance(by: .seconds(1))
        let issued = try await session.token(for: TokenRequest(reason: .forced))
        #expect(issued.token.value.reveal() == "access-2")
        #expect(issued.refreshed)
    }

    @Test func `a cancelled first caller returns at once and the others get the token`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await rig.session(provider)
        let first = Task { try await session.token() }
        await latch.someoneArrived()
        let second = Task { try await session.token() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        latch.open()
        #expect(try await second.value.token.value.reveal() == "access-2")
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `invalid_grant after a sibling renewed takes the sibling's token`() async throws {
        // The sibling does not know our leases: an older program, say. It rotates while our request is on its way.
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let sibling = try await rig.vault()
        var provider = rig.provider([.refused])
        provider.beforeAnswer = {}
        let rigged = SiblingProvider(base: provider) {
            guard let entry = try await sibling.load(rig.id) else { return }
            var renewed = entry.credential
            renewed.refreshToken = HeldToken(Secret("sibling-refresh"))
            renewed.accessTokens[.primary] = HeldToken(
                Secret("sibling-access"),
                expiry: .after(.seconds(600), from: rig.time.now)
            )
            renewed.intents = [:]
            try await sibling.save(renewed, replacing: entry.version)
        }
        let session = Session(rig.id, provider: rigged, vault: try await rig.vault(), time: rig.time)
        let issued = try await session.token()
        #expect(issued.token.value.reveal() == "sibling-access")
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "sibling-refresh")
        #expect(try await rig.stored()?.state == .signedIn)
    }

    @Test func `invalid_grant for the stored token asks for a sign-in and keeps the record`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await rig.session(rig.provider([.refused]))
        #expect(await sessionCode { try await session.token() } == .refreshRefused)
        let stored = try await rig.stored()
        #expect(stored?.state == .needsSignIn)
        #expect(stored?.refreshToken?.value.reveal() == "refresh-1")
        #expect(stored?.problem?.code == "invalid_grant")
        #expect(await sessionCode { try await rig.session().token() } == .refreshRefused)
        #expect(rig.issuer.renewals == 0)
    }
}

/// Runs a sibling's work between the request and its refusal.
private struct SiblingProvider: TokenProvider {
    let base: MemoryProvider
    let meanwhile: @Sendable () async throws -> Void
    var kind: ProviderKind { base.kind }
    var traits: ProviderTraits { base.traits }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        do {
            return try await base.renew(held, for: request, in: context)
        } catch {
            try await meanwhile()
            throw error
        }
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
