import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

@Suite struct DiscoveryTests {
    private let time = ManualTime()

    /// Asks an issuer that answers by address, and returns the addresses asked.
    private func asked(
        _ issuer: String,
        scope: Scope = Scope("openid"),
        _ answers: [String: String]
    ) async throws -> (asked: [String], error: OIDCError?) {
        let time = time
        let transport = StubTransport { request in
            guard let named = answers[request.url.text] else {
                return .stub(request, status: 404, body: "<html>", contentType: "text/html", at: time.now)
            }
            let document: JSONObject = [
                "issuer": .string(named), "authorization_endpoint": "https://op.example/a",
                "token_endpoint": "https://op.example/t", "jwks_uri": "https://op.example/j",
            ]
            return .stub(request, body: String(decoding: document.serialized(), as: UTF8.self), at: time.now)
        }
        let configuration = OIDCConfiguration(issuer: issuer, clientID: "c", scope: scope)
        let provider = try OIDCProvider(configuration, transport: transport, time: time)
        var thrown: OIDCError?
        do {
            _ = try await provider.endSession(try RelyingParty().blank(), in: context)
        } catch let error as OIDCError {
            thrown = error
        }
        return (transport.requests.map(\.url.text), thrown)
    }

    private var context: ProviderContext {
        ProviderContext(time: time, deadline: Deadline(.seconds(60), from: time.now))
    }

    @Test(arguments: [
        "https://op.example", "https://op.example/", "https://op.example/api/oidc", "https://op.example/x/",
    ])
    func `an issuer's document is where one slash less leads, and names it byte for byte`(_ issuer: String) async throws
    {
        let bare = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let place = bare + "/.well-known/openid-configuration"
        let (asked, error) = try await asked(issuer, [place: issuer])
        #expect(asked == [place])
        #expect(error == nil)
    }

    @Test func `a document's full address is taken as it is`() async throws {
        let place = "https://op.example/api/oidc/.well-known/openid-configuration"
        #expect(try await asked(place, [place: "https://op.example/api/oidc"]).error == nil)
        #expect(try await asked(place, [place: "https://op.example/api/oidc/"]).error == nil)
        #expect(try await asked(place, [place: "https://op.example/api"]).error?.reason == .issuerMismatch)
    }

    @Test func `RFC 8414 puts its place between host and path`() async throws {
        let place = "https://op.example/.well-known/oauth-authorization-server/tenant"
        let (first, error) = try await asked(
            "https://op.example/tenant",
            scope: Scope("read"),
            [place: "https://op.example/tenant"]
        )
        #expect(first == [place])
        #expect(error == nil)
        #expect(try await asked(place, [place: "https://op.example/tenant"]).error == nil)
    }

    @Test func `the other place is asked when the first has nothing`() async throws {
        let place = "https://op.example/.well-known/oauth-authorization-server/tenant"
        let (asked, error) = try await asked("https://op.example/tenant", [place: "https://op.example/tenant"])
        #expect(asked == ["https://op.example/tenant/.well-known/openid-configuration", place])
        #expect(error == nil)
    }

    @Test func `a mismatch quotes both issuers and says what to configure`() async throws {
        let place = "https://op.example/tenant/.well-known/openid-configuration"
        let slash = try await asked("https://op.example/tenant", [place: "https://op.example/tenant/"]).error
        #expect(slash?.reason == .issuerMismatch)
        #expect(slash?.remedy == .fixConfiguration)
        #expect(slash?.detail.contains(#""https://op.example/tenant/""#) == true)
        #expect(slash?.detail.contains(#""https://op.example/tenant""#) == true)
        #expect(
            slash?.detail.contains(#"only the final slash differs: configure "https://op.example/tenant/""#) == true
        )
        let other = try await asked("https://op.example/tenant", [place: "https://OP.example/tenant"]).error
        #expect(other?.reason == .issuerMismatch)
        #expect(other?.detail.contains("slash") == false)
    }

    @Test(arguments: [
        (503, "text/html", "<html>", Remedy.retry(after: nil)),
        (200, "text/html", "<html>", .fixConfiguration),
        (200, "application/json", "[]", .fixConfiguration),
        (200, "application/json", "{}", .fixConfiguration),
        (404, "text/html", "<html>", .fixConfiguration),
    ])
    func `what is no document is refused, and asked for again`(
        _ status: Int,
        _ type: String,
        _ body: String,
        _ remedy: Remedy
    ) async throws {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.replace = { path, response in
                guard path.hasSuffix("configuration") else { return response }
                var response = response
                response.status = status
                response.fields = [HTTPField("Content-Type", type)]
                response.body = Array(body.utf8)
                return response
            }
        }
        let error = try await failure { try await party.signIn() }
        #expect(error.reason == .discoveryFailed)
        #expect(error.remedy == remedy)
        #expect(party.agent.urls == [])
        party.issuer.script { $0.replace = { $1 } }
        _ = try await party.signIn()
    }

    @Test func `a document is used for an hour`() async throws {
        let party = try RelyingParty()
        _ = try await party.signIn()
        party.issuer.time.advance(by: .seconds(3599))
        _ = try await party.signIn()
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 1)
        party.issuer.time.advance(by: .seconds(1))
        _ = try await party.signIn()
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 2)
    }

    @Test func `endpoints given by hand go before the discovered ones`() async throws {
        let party = try RelyingParty { $0.endpoints.userInfo = "https://op.example/tenant/userinfo?v=2" }
        _ = try? await party.signInAndReadUserInfo()
        #expect(party.issuer.requests(to: "/tenant/userinfo").first?.url.query == "v=2")
    }

    @Test func `nothing is discovered when every endpoint is given`() async throws {
        let party = try RelyingParty { configuration in
            configuration.endpoints = OIDCEndpoints(
                authorization: "https://op.example/tenant/authorize",
                token: "https://op.example/tenant/token",
                userInfo: "https://op.example/tenant/userinfo",
                jwksURI: "https://op.example/tenant/jwks"
            )
        }
        _ = try await party.signInAndReadUserInfo()
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 0)
    }

    @Test func `an insecure endpoint is left out`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.discovery = { $0["token_endpoint"] = "http://op.example/tenant/token" } }
        #expect(await code { try await party.signIn() } == .missingEndpoint)
        party.issuer.script { $0.discovery = { $0["token_endpoint"] = "http://127.0.0.1/tenant/token" } }
        #expect(await code { try await RelyingParty(party.issuer).signIn() } == .missingEndpoint)
    }

    @Test func `what a credential keeps serves while the issuer cannot answer`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.time.advance(by: .seconds(30 * 3600))
        party.issuer.script { script in
            script.replace = { path, response in
                var response = response
                if path.hasSuffix("configuration") { response.status = 503 }
                return response
            }
        }
        let renewed = try await RelyingParty(party.issuer).renew(held)
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 2)
        #expect(renewed.accessTokens[.primary]?.value == Secret("access-1"))
    }

    @Test func `what was kept for another issuer is not used`() async throws {
        let party = try RelyingParty()
        var held = try await party.signIn()
        let kept = try #require(held.attributes["oidc.metadata"])
        held.attributes["oidc.metadata"] = kept.replacing(
            #""configured":"https://op.example/tenant""#,
            with: #""configured":"https://evil.example""#
        )
        _ = try await RelyingParty(party.issuer).renew(held)
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 2)
    }
}
