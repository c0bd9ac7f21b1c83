import AuthKitCore
import ProviderOIDC
import Testing

/// What ties an answer to the sign-in that asked for it, and a refresh to the sign-in before it.
@Suite struct ContinuityTests {
    /// A user agent that hands on the first answer that comes, without asking whether it is wanted.
    private final class CarelessAgent: UserAgent, RedirectReceiver {
        let redirectURI = "http://127.0.0.1:49152/callback"
        private let answer: @Sendable (String) -> RedirectAnswer

        init(_ answer: @escaping @Sendable (String) -> RedirectAnswer) {
            self.answer = answer
        }

        func prepare(_ redirects: [String]) async throws -> any RedirectReceiver { self }

        func present(
            _ url: String,
            accepting: @escaping @Sendable (RedirectAnswer) -> Bool
        ) async throws -> RedirectAnswer { answer(url) }

        func finish(_ outcome: SignInOutcome) async {}
    }

    @Test func `an answer with another state is refused though the agent let it through`() async throws {
        let party = try RelyingParty()
        let issuer = party.issuer
        for state in ["another", nil] {
            let agent = CarelessAgent { url in
                let code = issuer.authorize(url).single("code") ?? ""
                return RedirectAnswer(parameters: [("code", code)] + (state.map { [("state", $0)] } ?? []))
            }
            let context = SignInContext(base: party.context, blank: try party.blank(), previous: nil, willRedeem: {})
            let reason = await code { try await party.provider.signIn(through: agent, in: context) }
            #expect(reason == .wrongState)
        }
        #expect(issuer.count("/tenant/token") == 0)
    }

    @Test func `RFC 9207: an error that names no issuer ends the sign-in as that error`() async throws {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.discovery = { $0["authorization_response_iss_parameter_supported"] = true }
            script.answer = { $0 = [("error", "access_denied"), $0[1]] }
        }
        #expect(await code { try await party.signIn() } == .refused)
    }

    /// OpenID Connect Core §12.2: the same azp as in the original ID token, none if there was none.
    @Test(arguments: [(nil, "client-1"), ("client-1", nil)] as [(String?, String?)])
    func `azp at refresh is that of the sign-in`(_ before: String?, _ after: String?) async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.claims = { $0["azp"] = before.map(JSONValue.string) } }
        let held = try await party.signIn()
        #expect(await code { try await party.renew(held) } == nil)
        party.issuer.withState { $0.refreshes = 0 }
        party.issuer.script { $0.claims = { $0["azp"] = after.map(JSONValue.string) } }
        #expect(await code { try await party.renew(held) } == .invalidIDToken)
    }

    @Test func `a refresh for an account of another issuer ends the credential`() async throws {
        let party = try RelyingParty()
        var held = try await party.signIn()
        held.account = Account(issuer: "https://other.example", subject: "subject-1", displayName: nil)
        #expect(await code { try await party.renew(held) } == .subjectChanged)
    }

    @Test func `a refresh keeps the account as the sign-in named it`() async throws {
        let party = try RelyingParty()
        var held = try await party.signIn()
        party.issuer.script { $0.claims = { $0["preferred_username"] = "eve" } }
        #expect(try await party.renew(held).account == held.account)
        party.issuer.withState { $0.refreshes = 0 }
        held.account = nil
        #expect(try await party.renew(held).account?.displayName == "eve")
    }
}
