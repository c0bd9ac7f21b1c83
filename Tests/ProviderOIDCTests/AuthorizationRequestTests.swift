import AuthKitCore
import ProviderOIDC
import Testing

@Suite struct AuthorizationRequestTests {
    private func parameters(
        scope: Scope = Scope("openid"),
        _ change: (inout OIDCConfiguration) -> Void = { _ in }
    ) async throws -> (url: WebURL, parameters: [String: [String]]) {
        let party = try RelyingParty(scope: scope, change: change)
        _ = try? await party.signIn()
        let url = try #require(party.agent.urls.first.flatMap { WebURL($0) })
        let parameters = try #require(url.queryParameters)
        return (url, Dictionary(grouping: parameters, by: \.name).mapValues { $0.map(\.value) })
    }

    @Test func `carries what every request needs`() async throws {
        let (url, sent) = try await parameters()
        #expect(url.text.hasPrefix("https://op.example/tenant/authorize?response_type=code&"))
        #expect(sent["client_id"] == ["client-1"])
        #expect(sent["redirect_uri"] == ["http://127.0.0.1:49152/callback"])
        #expect(sent["scope"] == ["openid"])
        #expect(sent["code_challenge_method"] == ["S256"])
        #expect(sent["response_mode"] == nil)
        for name in ["state", "nonce", "code_challenge"] {
            let value = try #require(sent[name]?.first)
            #expect(value.utf8.count == 43)
            #expect((try? Base64URL.decode(value))?.count == 32)
        }
    }

    @Test func `state, nonce and challenge are new each time`() async throws {
        let party = try RelyingParty()
        _ = try await party.signIn()
        _ = try await party.signIn()
        let sent = party.agent.urls.compactMap { WebURL($0)?.queryParameters }
        for name in ["state", "nonce", "code_challenge"] {
            let values = sent.compactMap { $0.first { $0.name == name }?.value }
            #expect(Set(values).count == 2)
        }
        #expect(party.issuer.withState { $0.verifiers.count } == 2)
    }

    @Test func `carries what is configured`() async throws {
        let (_, sent) = try await parameters { configuration in
            configuration.responseMode = .formPost
            configuration.audience = "https://api.example"
            configuration.resources = ["https://api.example/a", "https://api.example/b"]
            configuration.acrValues = ["gold", "silver"]
            configuration.maxAge = .seconds(600)
            configuration.prompt = "login consent"
            configuration.loginHint = "ada@op.example"
            configuration.extraParameters = [FormParameter("kc_idp_hint", "corp & co")]
        }
        #expect(sent["response_mode"] == ["form_post"])
        #expect(sent["audience"] == ["https://api.example"])
        #expect(sent["resource"] == ["https://api.example/a", "https://api.example/b"])
        #expect(sent["acr_values"] == ["gold silver"])
        #expect(sent["max_age"] == ["600"])
        #expect(sent["prompt"] == ["login consent"])
        #expect(sent["login_hint"] == ["ada@op.example"])
        #expect(sent["kc_idp_hint"] == ["corp & co"])
    }

    @Test func `has no nonce without openid`() async throws {
        let (_, sent) = try await parameters(scope: Scope("read"))
        #expect(sent["nonce"] == nil)
        #expect(sent["code_challenge"] != nil)
    }

    @Test func `keeps the endpoint's own query`() async throws {
        let (url, sent) = try await parameters { configuration in
            configuration.endpoints.authorization = "https://op.example/authorize?tenant=a%20b&policy=x"
        }
        #expect(url.text.hasPrefix("https://op.example/authorize?tenant=a%20b&policy=x&response_type=code&"))
        #expect(sent["tenant"] == ["a b"])
    }

    @Test func `no parameter comes twice when the endpoint's query has one of ours`() async throws {
        let (_, sent) = try await parameters { configuration in
            configuration.endpoints.authorization = "https://op.example/authorize?prompt=select_account&tenant=t"
            configuration.prompt = "login"
        }
        #expect(sent["prompt"] == ["login"])
        #expect(sent["tenant"] == ["t"])
        #expect(sent.values.allSatisfy { $0.count == 1 })
    }
}
