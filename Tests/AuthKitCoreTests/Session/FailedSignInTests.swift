import AuthKitTesting
import Testing

@testable import AuthKitCore

/// A sign-in that brings no access token at once, and fails when the first one is fetched.
@Suite(.timeLimit(.minutes(1))) struct FailedSignInTests {
    /// Signs in without an access token, and fetches the first one as told.
    private struct LateProvider: InteractiveTokenProvider {
        let base: MemoryProvider
        var subject = "bob"
        var fetch: @Sendable () async throws -> Void
        var look: @Sendable (SignInContext) -> Void = { _ in }
        var kind: ProviderKind { base.kind }
        var traits: ProviderTraits { base.traits }

        func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult {
            look(context)
            try context.willRedeem()
            var credential = context.blank
            credential.account = Account(issuer: "memory", subject: subject, displayName: subject)
            credential.companions["session"] = HeldToken(Secret("session-of-\(subject)"))
            return SignInResult(credential: credential, receiver: nil)
        }

        func renew(
            _ held: StoredCredential,
            for request: TokenRequest,
            in context: RenewalContext
        ) async throws -> Renewal {
            try await fetch()
            return try await base.renew(held, for: request, in: context)
        }

        func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
        func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest? {
            nil
        }
    }

    /// Gives a first token for whatever is held.
    private struct GivingProvider: TokenProvider {
        var kind: ProviderKind { ProviderKind("memory") }
        var traits: ProviderTraits { ProviderTraits() }

        func renew(
            _ held: StoredCredential,
            for request: TokenRequest,
            in context: RenewalContext
        ) async throws -> Renewal {
            var credential = held
            credential.accessTokens[request.key] = HeldToken(
                Secret("first"),
                expiry: .after(.seconds(3600), from: context.base.time.now)
            )
            return .renewed(credential)
        }

        func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
    }

    private static let refused = MemoryFailure(code: "session_refused", remedy: .signInAgain, delivery: .answered)
    private let rig = SessionRig()

    private func session(_ fetch: @escaping @Sendable () async throws -> Void) async throws -> Session {
        let provider = LateProvider(base: rig.provider(), fetch: fetch)
        return Session(rig.id, provider: provider, vault: try await rig.vault(), time: rig.time)
    }

    private func refuse(_ session: Session) async {
        await #expect {
            try await session.signIn(through: NoAgent())
        } throws: { error in
            "\(error)".contains("session_refused")
        }
    }

    /// Leaves what a death leaves between the save and the first token.
    private func cutOffSignIn() async throws {
        let report = try await session { throw CancellationError() }.signIn(through: NoAgent())
        #expect(report.tokenFailure is CancellationError)
        #expect(report.account?.subject == "bob")
    }

    @Test func `one that is refused puts back the login that it had replaced`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        let before = try #require(try await rig.stored())
        let session = try await session { throw Self.refused }
        var events = session.events.makeAsyncIterator()
        await refuse(session)
        #expect(try await rig.stored() == before)
        #expect(session.state == .signedIn)
        // The earlier account's token is served at once, here and elsewhere.
        #expect(try await session.token().token.value == Secret("access-of-alice"))
        #expect(try await rig.session().token().token.value == Secret("access-of-alice"))
        var accounts: [String?] = []
        while accounts.last != "alice", let event = await events.next() {
            switch event {
            case .signedIn(let account, _): accounts.append(account?.subject)
            case .accountSwitched(_, let account, _): accounts.append(account?.subject)
            default: break
            }
        }
        #expect(accounts == ["bob", "alice"])
    }

    @Test func `one that is refused with nothing before it leaves nothing`() async throws {
        let session = try await session { throw Self.refused }
        await refuse(session)
        let stored = try #require(try await rig.stored())
        #expect(stored.state == .signedOut)
        #expect(stored.account == nil && stored.companions.isEmpty)
        #expect(session.state == .signedOut)
    }

    @Test func `one that is refused leaves a sign-out, and a login that has ended, as they were`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        _ = try await rig.session().signOut()
        let out = try #require(try await rig.stored())
        await refuse(try await session { throw Self.refused })
        #expect(try await rig.stored() == out)

        _ = try await rig.session().signIn(through: NoAgent())
        let ending = try await rig.session(rig.provider([.refused]))
        _ = await sessionCode { try await ending.token(for: TokenRequest(reason: .forced)) }
        let ended = try #require(try await rig.stored())
        #expect(ended.state == .needsSignIn && ended.account?.subject == "alice")
        await refuse(try await session { throw Self.refused })
        #expect(try await rig.stored() == ended)
    }

    @Test func `one that was cut off before its first token is put back by whoever is refused it later`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        let before = try #require(try await rig.stored())
        try await cutOffSignIn()
        let incomplete = try #require(try await rig.stored())
        #expect(incomplete.account?.subject == "bob" && incomplete.replaced == before)
        let later = try await session { throw Self.refused }
        await #expect {
            try await later.token()
        } throws: { "\($0)".contains("session_refused") }
        #expect(try await rig.stored() == before)
        #expect(try await later.token().token.value == Secret("access-of-alice"))
    }

    @Test func `one that was cut off is completed by whoever is given its first token`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        try await cutOffSignIn()
        let id = rig.id
        let later = Session(id, provider: GivingProvider(), vault: try await rig.vault(), time: rig.time)
        #expect(try await later.token().token.value == Secret("first"))
        let stored = try #require(try await rig.stored())
        #expect(stored.account?.subject == "bob" && stored.replaced == nil)
    }

    @Test func `the provider is told of the login that stands, not of one that is not complete`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        try await cutOffSignIn()
        let seen = Guarded<String?>(nil)
        let provider = LateProvider(base: rig.provider(), fetch: { throw Self.refused }) { context in
            let subject = context.previous?.account?.subject
            seen.withLock { $0 = subject }
        }
        await refuse(Session(rig.id, provider: provider, vault: try await rig.vault(), time: rig.time))
        #expect(seen.withLock { $0 } == "alice")
        #expect(try await rig.stored()?.account?.subject == "alice")
    }

    @Test func `one whose first token cannot be had now stands`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        let session = try await session {
            throw MemoryFailure(code: "http_503", remedy: .retry(after: nil), delivery: .answered)
        }
        let report = try await session.signIn(through: NoAgent())
        #expect((report.tokenFailure as? MemoryFailure)?.code == "http_503")
        #expect(report.replaced?.subject == "alice")
        #expect(try await rig.stored()?.account?.subject == "bob")
    }

    @Test func `a sign-out while the first token is fetched wins over what was there before`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        let rig = rig
        let session = try await session {
            _ = try await rig.session().signOut()
            throw Self.refused
        }
        _ = await sessionCode { try await session.signIn(through: NoAgent()) }
        #expect(try await rig.stored()?.state == .signedOut)
    }
}
