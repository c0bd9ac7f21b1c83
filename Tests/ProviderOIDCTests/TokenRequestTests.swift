import AuthKitCore
import ProviderOIDC
import Testing

@Suite struct TokenRequestTests {
    private func request(
        secret: String? = "s3cret",
        clientID: String = "client-1",
        _ change: (inout OIDCConfiguration) -> Void = { _ in }
    ) async throws -> (HTTPRequest, [String: String]) {
        let issuer = ScriptedIssuer(clientID: clientID, secret: secret)
        let party = try RelyingParty(issuer, change: change)
        _ = try? await party.signIn()
        let request = try #require(issuer.requests(to: "/tenant/token").first)
        return (request, ScriptedIssuer.form(of: request))
    }

    @Test func `exchanges the code once and nowhere else`() async throws {
        let (request, form) = try await request()
        #expect(request.method == "POST")
        #expect(request.url.text == "https://op.example/tenant/token")
        #expect(request.fields.first(named: "accept") == "application/json")
        #expect(request.mayResend == false)
        #expect(request.redirects == .never)
        #expect(form["grant_type"] == "authorization_code")
        #expect(form["code"] == "code-1")
        #expect(form["redirect_uri"] == "http://127.0.0.1:49152/callback")
        #expect(form["code_verifier"]?.utf8.count == 43)
    }

    @Test func `code and verifier are marked as secrets`() async throws {
        let (request, _) = try await request()
        guard case .form(let parameters)? = request.body else {
            Issue.record("no form")
            return
        }
        #expect(Set(parameters.filter(\.isSecret).map(\.name)) == ["code", "code_verifier"])
    }

    @Test func `the code is not sent when the process is ending`() async throws {
        let party = try RelyingParty()
        await #expect(throws: CancellationError.self) {
            _ = try await party.signIn(willRedeem: { throw CancellationError() })
        }
        #expect(party.issuer.count("/tenant/token") == 0)
        #expect(party.agent.outcomes.count == 1)
    }

    @Test func `a public client names itself in the form`() async throws {
        let (request, form) = try await request(secret: nil)
        #expect(form["client_id"] == "client-1")
        #expect(form["client_secret"] == nil)
        #expect(request.fields.first(named: "authorization") == nil)
    }

    @Test func `client_secret_basic form-encodes both halves`() async throws {
        let (request, form) = try await request(secret: "a:b c+/%é", clientID: "c 1")
        // "c+1:a%3Ab+c%2B%2F%25%C3%A9" in base64.
        let expected = "Basic YysxOmElM0FiK2MlMkIlMkYlMjUlQzMlQTk="
        #expect(request.fields.first(named: "authorization") == expected)
        #expect(request.fields.first { $0.name == "Authorization" }?.isSecret == true)
        #expect(form["client_id"] == nil)
    }

    @Test func `client_secret_basic without form encoding joins the halves as they are`() async throws {
        let (request, _) = try await request { configuration in
            configuration.clientAuthentication = .clientSecretBasicWithoutFormEncoding(Secret("a:b c+/%é"))
        }
        // "client-1:a:b c+/%é" in base64.
        #expect(request.fields.first(named: "authorization") == "Basic Y2xpZW50LTE6YTpiIGMrLyXDqQ==")
    }

    @Test func `client_secret_post puts both into the form`() async throws {
        let (request, form) = try await request { $0.clientAuthentication = .clientSecretPost(Secret("s3cret")) }
        #expect(form["client_id"] == "client-1")
        #expect(form["client_secret"] == "s3cret")
        #expect(request.fields.first(named: "authorization") == nil)
        #expect("\(ClientAuthentication.clientSecretPost(Secret("s3cret")))" == "client_secret_post")
    }

    @Test func `the endpoint's own query stays`() async throws {
        let party = try RelyingParty { $0.endpoints.token = "https://op.example/tenant/token?p=b2c" }
        _ = try await party.signIn()
        #expect(party.issuer.requests(to: "/tenant/token").first?.url.query == "p=b2c")
    }

    @Test func `trust settings go with every request`() async throws {
        let tls = TLSOptions(authorityFile: "ca.pem")
        let party = try RelyingParty { $0.tls = tls }
        _ = try await party.signInAndReadUserInfo()
        let requests = party.issuer.withState { $0.seen.map(\.request) }
        #expect(requests.count == 4)
        #expect(requests.allSatisfy { $0.tls == tls })
    }
}
