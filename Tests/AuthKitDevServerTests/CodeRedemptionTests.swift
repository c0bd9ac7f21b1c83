import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import Testing

@Suite struct CodeRedemptionTests {
    @Test func `a code brings tokens whose ID token holds what was asked`() throws {
        let bench = try IssuerBench()
        let tokens = try bench.tokens()
        #expect(tokens.text("token_type") == "Bearer")
        #expect(tokens["expires_in"] == 3600)
        #expect(tokens.text("scope") == "openid profile email offline_access")
        #expect(tokens.text("refresh_token") != nil)
        let claims = try bench.verify(tokens.text("id_token"), nonce: "n-1").claims
        #expect(claims.text("sub") == "user-alice")
        #expect(claims.text("preferred_username") == "alice")
        #expect(claims.text("email") == "alice@example.org")
        #expect(claims["auth_time"] == 1_800_000_000)
        let accessToken = try #require(tokens.text("access_token"))
        #expect(claims.text("at_hash") == TokenHash.make(of: Secret(accessToken), algorithm: .rs256, key: .rsa))
    }

    @Test func `the token answer is never cached`() throws {
        let bench = try IssuerBench()
        #expect(bench.redeem(try bench.code()).field("Cache-Control") == "no-store")
    }

    @Test(arguments: [
        ("code_verifier", "wrong-wrong-wrong-wrong-wrong-wrong-wrong-wrong"), ("code_verifier", nil),
        ("code_verifier", "short"), ("redirect_uri", "http://127.0.0.1:39002/callback"), ("redirect_uri", nil),
        ("code", "unknown"),
    ])
    func `an attempt that does not fit is invalid_grant`(_ name: String, _ value: String?) throws {
        let bench = try IssuerBench()
        let answer = bench.redeem(try bench.code(), [name: value])
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_grant")
    }

    @Test func `a wrong verifier spends the code`() throws {
        let bench = try IssuerBench()
        let code = try bench.code()
        _ = bench.redeem(code, ["code_verifier": IssuerBench.verifier + "x"])
        #expect(bench.redeem(code).error == "invalid_grant")
    }

    @Test func `a code belongs to one client, and another's attempt does not spoil it`() throws {
        let bench = try IssuerBench()
        let code = try bench.code()
        let other = bench.redeem(code, ["client_id": "dev-conf"], fields: [IssuerBench.confidential])
        #expect(other.error == "invalid_grant")
        #expect(bench.redeem(code).status == 200)
    }

    @Test func `a code lives for a minute`() throws {
        let bench = try IssuerBench()
        let (early, late) = (try bench.code(), try bench.code())
        bench.time.advance(by: .seconds(59))
        #expect(bench.redeem(early).status == 200)
        bench.time.advance(by: .seconds(1))
        #expect(bench.redeem(late).error == "invalid_grant")
    }

    @Test func `a code that comes twice ends the tokens it brought`() throws {
        let bench = try IssuerBench()
        let code = try bench.code()
        let tokens = try bench.redeem(code).json()
        #expect(bench.userinfo(tokens.text("access_token")).status == 200)
        #expect(bench.redeem(code).error == "invalid_grant")
        #expect(bench.userinfo(tokens.text("access_token")).status == 401)
        #expect(bench.refresh(tokens.text("refresh_token")).error == "invalid_grant")
        #expect(bench.issuer.statistics.codeReplays == 1)
        #expect(bench.issuer.statistics.familiesKilled == 1)
    }

    @Test func `without openid there is no ID token`() throws {
        let tokens = try IssuerBench().tokens(["scope": "api"])
        #expect(tokens["id_token"] == nil)
        #expect(tokens.text("access_token") != nil)
    }

    @Test func `refresh tokens can be kept for offline access`() throws {
        let bench = try IssuerBench { $0.requiresOfflineAccess = true }
        #expect(try bench.tokens(["scope": "openid"])["refresh_token"] == nil)
        #expect(try bench.tokens().text("refresh_token") != nil)
    }

    @Test func `JWT access tokens follow RFC 9068`() throws {
        let bench = try IssuerBench()
        let token = try #require(bench.tokens(["resource": "https://api.example"]).text("access_token"))
        let keys = try JWKSet(parsing: bench.get("/jwks").body)
        let policy = JWTPolicy(
            algorithms: [.es256],
            issuer: bench.issuer.url,
            audience: "https://api.example",
            type: .oneOf(["at+jwt"])
        )
        let claims = try JWTVerifier(policy: policy).verify(token, with: keys, at: bench.time.now.wall).claims
        #expect(claims.text("client_id") == "dev")
        #expect(claims.text("scope") == "openid profile email offline_access")
        #expect(claims.text("jti")?.isEmpty == false)
    }

    @Test func `opaque access tokens say nothing and work`() throws {
        let bench = try IssuerBench { $0.accessTokenForm = .opaque }
        let token = try #require(bench.tokens().text("access_token"))
        #expect(!token.contains("."))
        #expect(bench.userinfo(token).status == 200)
    }

    @Test func `a resource that was not asked for is refused`() throws {
        let bench = try IssuerBench()
        let code = try bench.code(["resource": "https://a.example"])
        #expect(bench.redeem(code, ["resource": "https://b.example"]).error == "invalid_target")
    }

    @Test func `other grants and bodies are refused by name`() throws {
        let bench = try IssuerBench()
        #expect(
            bench.post("/token", [("grant_type", "password"), ("client_id", "dev")]).error == "unsupported_grant_type"
        )
        #expect(bench.post("/token", [("client_id", "dev")]).error == "invalid_request")
        let twice = [("grant_type", "authorization_code"), ("grant_type", "authorization_code"), ("client_id", "dev")]
        #expect(bench.post("/token", twice).error == "invalid_request")
    }
}
