import AuthKitTesting
import Testing

@testable import AuthKitCore

/// What a session knows and is no longer so: records purged, keys changed, tokens renewed elsewhere.
@Suite(.timeLimit(.minutes(1))) struct StaleStateTests {
    private static let otherKey = Base64URL.encode([UInt8](repeating: 9, count: 32))

    @Test func `after a purge and another's sign-in nobody is given the first one's token`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        for _ in 0..<3 { _ = try await session.token(for: TokenRequest(reason: .forced)) }
        let other = try await rig.vault()
        try await other.purge(rig.id, expecting: try #require(await other.version(of: rig.id)))
        var provider = rig.provider()
        provider.subject = "bob"
        _ = try await rig.session(provider).signIn(through: NoAgent())
        let issued = try await session.token(for: TokenRequest(reason: .forced))
        #expect(issued.account?.subject == "bob")
        #expect(try await session.token().account?.subject == "bob")
        #expect(try await session.token().token.fingerprint == issued.token.fingerprint)
    }

    @Test func `after a purge elsewhere a sign-out counts`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        _ = try await session.token(for: TokenRequest(reason: .forced))
        let other = try await rig.vault()
        try await other.purge(rig.id, expecting: try #require(await other.version(of: rig.id)))
        _ = try await session.signOut()
        #expect(await sessionCode { try await session.token() } == .signedOut)
    }

    @Test func `an answer outlives a change of all keys, and is stored once the new ones can be had`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let key = Guarded(SessionRig.key)
        let vault = try await Vault.open(rig.store, keySource: EnvironmentKey(name: "k") { _ in key.withLock { $0 } })
        var provider = rig.provider()
        provider.beforeAnswer = {
            let other = try await rig.vault()
            try await other.rekey(to: EnvironmentKey(name: "k") { _ in Self.otherKey })
            _ = try await other.rekeyData()
        }
        let window = SaveWindow()
        let session = try await rig.session(provider, vault: vault, saveWindow: window)
        let pump = Task { await rig.pump() }
        let issued = try await session.token()
        #expect(issued.isUnsaved)
        #expect(issued.token.value.reveal() == "access-2")
        key.withLock { $0 = Self.otherKey }
        #expect(await window.drain(within: .seconds(20)))
        pump.cancel()
        let opened = try await Vault.open(rig.store, keySource: EnvironmentKey(name: "k") { _ in Self.otherKey })
        #expect(try await opened.load(rig.id)?.credential.refreshToken?.value.reveal() == "refresh-2")
        #expect(rig.issuer.reuses == 0)
    }

    @Test func `an unsaved answer is given to nobody once a sign-out stands in the store`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let window = SaveWindow()
        let session = try await rig.session(saveWindow: window)
        store.failAfterSaves(1)
        let first = Task { await rig.pump() }
        #expect(try await session.token().isUnsaved)
        first.cancel()
        await first.value
        // Time stands: whoever tries to save sleeps now, and does so until it passes again.
        await rig.time.waitForSleepers(1)
        store.heal()
        _ = try await rig.session().signOut()
        #expect(try await session.token().isUnsaved)
        let second = Task { await rig.pump() }
        #expect(await window.drain(within: .seconds(20)))
        second.cancel()
        // The renewal that could not be stored ends a moment after its last try.
        for _ in 0..<10_000 where (try? await session.token()) != nil { await Task.yield() }
        #expect(await sessionCode { try await session.token() } == .signedOut)
    }

    @Test func `a token that another process fetched long ago is not taken for a new one`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        rig.time.advance(by: .seconds(10))
        _ = try await rig.session().token(for: TokenRequest(reason: .forced))
        rig.time.advance(by: .seconds(3595))
        // Ours has ended; the other one's lasts five seconds more.
        let issued = try await session.token(validFor: .seconds(60))
        #expect(issued.token.value.reveal() == "access-3")
        #expect(rig.issuer.renewals == 2)
    }

    @Test func `a forced renewal is not satisfied by what came before it was asked for`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        rig.time.advance(by: .seconds(10))
        _ = try await rig.session().token(for: TokenRequest(reason: .forced))
        rig.time.advance(by: .seconds(10))
        #expect(try await session.token(for: TokenRequest(reason: .forced)).token.value.reveal() == "access-3")
    }

    @Test func `who asks for more than the flight was ordered for is not given less`() throws {
        let time = ManualTime()
        func order(_ validFor: Duration) -> RenewalOrder {
            RenewalOrder(request: TokenRequest(), validFor: validFor, placedAt: time.now, known: nil)
        }
        let id = CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: "s")
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        let token = HeldToken(Secret("t"), expiry: .after(.seconds(100), from: time.now))
        credential.accessTokens[.primary] = token
        let entry = VaultEntry(
            credential: credential,
            version: RecordVersion(incarnation: credential.incarnation, revision: 1)
        )
        let held = RenewalLanding(entry: entry, refreshed: false, failure: nil, isUnsaved: false)
        #expect(order(.seconds(60)).accepts(token, in: held, at: time.now))
        #expect(!order(.seconds(600)).accepts(token, in: held, at: time.now))
        let declined = RenewalLanding(entry: entry, refreshed: false, declined: true, failure: nil, isUnsaved: false)
        #expect(order(.seconds(600)).accepts(token, in: declined, at: time.now))
        let renewed = RenewalLanding(entry: entry, refreshed: true, failure: nil, isUnsaved: false)
        #expect(order(.seconds(600)).accepts(token, in: renewed, at: time.now))
    }

    /// Gives tokens to whoever asks, without a sign-in.
    private struct OpenProvider: TokenProvider {
        var kind: ProviderKind { ProviderKind("open") }
        var traits: ProviderTraits {
            var traits = ProviderTraits()
            traits.needsSignIn = false
            return traits
        }

        func renew(
            _ held: StoredCredential,
            for request: TokenRequest,
            in context: RenewalContext
        ) async throws -> Renewal {
            var renewed = held
            renewed.accessTokens[request.key] = HeldToken(
                Secret("open"),
                expiry: .after(.seconds(60), from: context.base.time.now)
            )
            return .renewed(renewed)
        }

        func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
    }

    @Test func `two first uses at once of what needs no sign-in both get a token`() async throws {
        let store = WatchedStore()
        let rig = SessionRig(store: store)
        let vaults = [try await rig.vault(), try await rig.vault()]
        let sessions = vaults.map { Session(rig.id, provider: OpenProvider(), vault: $0, time: rig.time) }
        store.beforeNextLease {
            let issued = try await sessions[1].token(validFor: .seconds(5))
            #expect(issued.token.value.reveal() == "open")
        }
        #expect(try await sessions[0].token(validFor: .seconds(5)).token.value.reveal() == "open")
    }
}
