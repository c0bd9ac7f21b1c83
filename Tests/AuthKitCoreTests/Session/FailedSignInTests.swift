import AuthKitCore
import AuthKitTesting
import Testing

/// A sign-in that brings no access token at once, and fails when the first one is fetched.
@Suite(.timeLimit(.minutes(1))) struct FailedSignInTests {
    /// Signs in without an access token, and fetches the first one as told.
    private struct LateProvider: InteractiveTokenProvider {
        let base: MemoryProvider
        var subject = "bob"
        var fetch: @Sendable () async throws -> Void
        var kind: ProviderKind { base.kind }
        var traits: ProviderTraits { base.traits }

        func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult {
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

    @Test func `one that is refused with nothing before it needs another sign-in, and says why`() async throws {
        let session = try await session { throw Self.refused }
        await refuse(session)
        let stored = try #require(try await rig.stored())
        #expect(stored.state == .needsSignIn)
        #expect(stored.problem?.code == "session_refused")
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
