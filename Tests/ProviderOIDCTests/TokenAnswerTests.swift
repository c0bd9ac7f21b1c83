import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

@Suite struct TokenAnswerTests {
    /// Signs in as a plain OAuth client with a token answer that was changed.
    private func token(
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) async throws -> (HeldToken, RelyingParty) {
        let party = try RelyingParty(scope: Scope("read write"))
        party.issuer.script { $0.tokens = change }
        return (try #require(try await party.signIn().accessTokens[.primary]), party)
    }

    private func refused(_ change: @escaping @Sendable (inout JSONObject) -> Void) async throws -> OIDCError {
        let party = try RelyingParty(scope: Scope("read write"))
        party.issuer.script { $0.tokens = change }
        return try await failure { try await party.signIn() }
    }

    @Test(arguments: [
        (JSONValue.integer(600), Duration.seconds(600)),
        ("600", .seconds(600)),
        (" 600 ", .seconds(600)),
        (600.5, .milliseconds(600_500)),
        ("6e2", .seconds(600)),
        (0, .zero),
    ])
    func `expires_in may be an integer, a decimal or a number in a string`(
        _ value: JSONValue,
        _ lifetime: Duration
    ) async throws {
        let (token, party) = try await token { $0["expires_in"] = value }
        #expect(token.expiry == .after(lifetime, from: party.issuer.time.now))
    }

    @Test(arguments: [JSONValue.integer(-1), "-600", "NaN", "soon", .integer(400_000_000), true, .null, ["x"]])
    func `an expires_in that makes no sense is unknown`(_ value: JSONValue) async throws {
        #expect(try await token { $0["expires_in"] = value }.0.expiry.isUnknown)
    }

    @Test func `without expires_in the token's own exp is a hint`() async throws {
        let jwt = TestKey.rsa.sign(["alg": "RS256"], ["exp": 1_800_000_900])
        let (token, _) = try await token { tokens in
            tokens["expires_in"] = nil
            tokens["access_token"] = .string(jwt)
        }
        #expect(token.expiry == .at(WallTime(seconds: 1_800_000_900)))
        #expect(try await self.token { $0["expires_in"] = nil }.0.expiry.isUnknown)
    }

    @Test func `the earlier of expires_in and the token's own exp counts, unless exp has passed when the token comes`()
        async throws
    {
        func remaining(exp: Int64) async throws -> Expiry.Remaining {
            let jwt = TestKey.rsa.sign(["alg": "RS256"], ["exp": .integer(exp)])
            let (token, party) = try await token { tokens in
                tokens["expires_in"] = 600
                tokens["access_token"] = .string(jwt)
            }
            return token.expiry.remaining(at: party.issuer.time.now)
        }
        let now = try await token { _ in }.1.issuer.time.now.wall.seconds
        #expect(try await remaining(exp: now + 599) == .lasts(.seconds(599)))
        #expect(try await remaining(exp: now + 601) == .lasts(.seconds(600)))
        #expect(try await remaining(exp: now - 3000) == .lasts(.seconds(600)))
    }

    @Test func `without scope it is the one asked for`() async throws {
        #expect(try await token { _ in }.0.scope == Scope("read write"))
        #expect(try await token { $0["scope"] = "read" }.0.scope == Scope("read"))
    }

    @Test(arguments: ["bearer", "BEARER", "bEARER"])
    func `the token type is compared without case`(_ type: String) async throws {
        #expect(try await token { $0["token_type"] = .string(type) }.0.type == type)
    }

    @Test func `another token type is not used`() async throws {
        #expect(try await refused { $0["token_type"] = "mac" }.reason == .unsupported)
    }

    @Test(arguments: ["access_token", "token_type"])
    func `a required member must be there`(_ name: String) async throws {
        let error = try await refused { $0[name] = nil }
        #expect(error.reason == .malformedAnswer)
        #expect(error.delivery == .answered)
    }

    @Test func `JSON without any token does not say what became of what was sent`() async throws {
        let error = try await refused { $0 = ["status": "maintenance"] }
        #expect(error.reason == .malformedAnswer)
        #expect(error.delivery == .answeredUnclear)
    }

    @Test func `a refresh token that cannot be kept is lost like the answer`() async throws {
        #expect(try await refused { $0["refresh_token"] = 7 }.delivery == .sentNoAnswer)
    }

    @Test(arguments: ["access-0", "x-refresh-0", "s3cret"])
    func `a token type that repeats a token or secret is not shown`(_ type: String) async throws {
        let error = try await refused { $0["token_type"] = .string(type) }
        #expect(error.reason == .unsupported)
        #expect(!error.detail.contains(type))
    }

    @Test func `a token that would break a header is not used`() async throws {
        #expect(try await refused { $0["access_token"] = "a\r\nX: y" }.reason == .malformedAnswer)
        #expect(try await refused { $0["refresh_token"] = "a b" }.reason == .malformedAnswer)
        #expect(try await refused { $0["refresh_token"] = 7 }.reason == .malformedAnswer)
    }

    @Test(arguments: ["[]", "{\"access_token\":\"a\",\"access_token\":\"b\",\"token_type\":\"Bearer\"}", "{", ""])
    func `success that cannot be read counts as sent without an answer`(_ body: String) async throws {
        let party = try RelyingParty(scope: Scope("read"))
        party.issuer.script { script in
            script.replace = { path, response in
                var response = response
                if path == "/tenant/token" { response.body = Array(body.utf8) }
                return response
            }
        }
        let error = try await failure { try await party.signIn() }
        #expect(error.reason == .malformedAnswer)
        #expect(error.delivery == .sentNoAnswer)
    }

    @Test func `without openid no ID token is needed, and none is kept unchecked`() async throws {
        let party = try RelyingParty(scope: Scope("read"))
        party.issuer.script { $0.tokens = { $0["id_token"] = "not.a.token" } }
        let credential = try await party.signIn()
        #expect(credential.idToken == nil)
        #expect(credential.account == nil)
        #expect(party.issuer.count("/tenant/jwks") == 0)
    }

    @Test func `with openid an ID token must come`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.tokens = { $0["id_token"] = nil } }
        #expect(await code { try await party.signInAndReadUserInfo() } == .missingIDToken)
        #expect(party.issuer.count("/tenant/userinfo") == 0)
    }
}
