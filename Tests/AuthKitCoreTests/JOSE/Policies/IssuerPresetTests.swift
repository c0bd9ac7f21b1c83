import AuthKitCore
import Testing

@Suite struct IssuerPresetTests {
    private func idToken(
        nonce: String? = nil,
        maxAge: Duration? = nil,
        trusted: Set<String> = []
    ) -> JWTPolicy {
        .idToken(
            issuer: TokenKind.issuer,
            clientID: TokenKind.client,
            nonce: nonce,
            algorithms: [.es256],
            maxAge: maxAge,
            trustedAudiences: trusted
        )
    }

    @Test func `an ID token names its subject in 1 to 255 characters`() throws {
        let longest = String(repeating: "x", count: 255)
        #expect(try TokenKind.idToken.refusal { $0["sub"] = .string(longest) } == nil)
        #expect(try TokenKind.idToken.refusal { $0["sub"] = .string(longest + "x") } == .malformedClaims)
        #expect(try TokenKind.idToken.refusal { $0["sub"] = "" } == .malformedClaims)
        #expect(try TokenKind.idToken.refusal { $0["sub"] = .null } == .malformedClaims)
    }

    @Test func `an ID token for others too needs trust, with an azp or without`() throws {
        let kind = TokenKind.idToken
        #expect(try kind.refusal { $0["aud"] = ["client", "api"] } == .wrongAudience)
        #expect(try kind.refusal(by: idToken(trusted: ["api"])) { $0["aud"] = ["client", "api"] } == nil)
        #expect(try kind.refusal(by: idToken(trusted: ["api"])) { $0["aud"] = ["client", "api2"] } == .wrongAudience)
        for (trusted, refusal) in [(["api"], nil), (["other"], JWTError.Code.wrongAudience), ([], .wrongAudience)] {
            #expect(
                try kind.refusal(by: idToken(trusted: Set(trusted))) {
                    $0["aud"] = ["client", "api"]
                    $0["azp"] = "client"
                } == refusal
            )
        }
        #expect(try kind.refusal { $0["aud"] = ["client", "client"] } == nil)
    }

    @Test func `an azp must be the client even where the audience is`() throws {
        let kind = TokenKind.idToken
        #expect(try kind.refusal { $0["azp"] = "client" } == nil)
        #expect(try kind.refusal { $0["azp"] = "other" } == .wrongClaim)
        #expect(try kind.refusal(by: idToken(trusted: ["other"])) { $0["azp"] = "other" } == .wrongClaim)
        #expect(try kind.refusal { $0["azp"] = ["client"] } == .malformedClaims)
        #expect(try kind.refusal { $0["azp"] = "" } == .malformedClaims)
        // There, and naming nobody.
        #expect(try kind.refusal { $0["azp"] = .null } == .missingClaim)
        #expect(
            try kind.refusal {
                $0["aud"] = "api"
                $0["azp"] = "client"
            } == .wrongAudience
        )
    }

    @Test func `an ID token has the nonce that was sent`() throws {
        let policy = idToken(nonce: "n1")
        #expect(try TokenKind.idToken.refusal(by: policy) { $0["nonce"] = "n1" } == nil)
        #expect(try TokenKind.idToken.refusal(by: policy) { $0["nonce"] = "n2" } == .wrongNonce)
        #expect(try TokenKind.idToken.refusal(by: policy) == .missingClaim)
    }

    @Test func `max_age asks for a recent auth_time`() throws {
        let policy = idToken(maxAge: .seconds(300))
        let kind = TokenKind.idToken
        #expect(try kind.refusal(by: policy) == .missingClaim)
        #expect(try kind.refusal(by: policy) { $0["auth_time"] = "1800000000" } == .malformedClaims)
        #expect(try kind.refusal(by: policy) { $0["auth_time"] = 1_799_999_640 } == nil)
        #expect(try kind.refusal(by: policy) { $0["auth_time"] = 1_799_999_639 } == .tooOld)
        #expect(try kind.refusal(by: policy) { $0["auth_time"] = 1_800_000_060 } == nil)
        #expect(try kind.refusal(by: policy) { $0["auth_time"] = 1_800_000_061 } == .issuedInFuture)
        #expect(try kind.refusal(by: idToken(maxAge: .zero)) { $0["auth_time"] = 1_799_999_940 } == nil)
        #expect(try kind.refusal(by: idToken(maxAge: .zero)) { $0["auth_time"] = 1_799_999_939 } == .tooOld)
    }

    @Test func `an ID token tells of no event`() throws {
        #expect(try TokenKind.idToken.refusal { $0["events"] = [:] } == .forbiddenClaim)
        #expect(try TokenKind.idToken.refusal { $0["events"] = .null } == .forbiddenClaim)
    }

    @Test func `an access token says who, for whom and which`() throws {
        for name in ["sub", "client_id", "jti"] {
            #expect(try TokenKind.accessToken.refusal { $0[name] = "" } == .malformedClaims, "\(name)")
        }
        #expect(try TokenKind.accessToken.refusal { $0["client_id"] = 1 } == .malformedClaims)
    }

    @Test func `a logout token names a subject or a session`() throws {
        let kind = TokenKind.logoutToken
        #expect(try kind.refusal { $0["sub"] = nil } == nil)
        #expect(try kind.refusal { $0["sid"] = nil } == nil)
        #expect(
            try kind.refusal {
                $0["sub"] = nil
                $0["sid"] = nil
            } == .missingClaim
        )
        for name in ["sub", "sid", "jti"] {
            #expect(try kind.refusal { $0[name] = "" } == .malformedClaims, "\(name)")
        }
        #expect(try kind.refusal { $0["sid"] = 1 } == .malformedClaims)
    }

    @Test func `a logout token tells of a logout and of no sign-in`() throws {
        let kind = TokenKind.logoutToken
        let event = "http://schemas.openid.net/event/backchannel-logout"
        var both: JSONObject = ["urn:example:event": [:]]
        both[event] = ["more": 1]
        #expect(try kind.refusal { $0["events"] = .object(both) } == nil)
        #expect(try kind.refusal { $0["events"] = ["urn:example:event": [:]] } == .wrongClaim)
        #expect(try kind.refusal { $0["events"] = [:] } == .wrongClaim)
        #expect(try kind.refusal { $0["events"] = [.string(event)] } == .malformedClaims)
        #expect(try kind.refusal { $0["events"] = .string(event) } == .malformedClaims)
        both[event] = true
        #expect(try kind.refusal { $0["events"] = .object(both) } == .malformedClaims)
        #expect(try kind.refusal { $0["nonce"] = "n" } == .forbiddenClaim)
        #expect(try kind.refusal { $0["nonce"] = .null } == .forbiddenClaim)
    }

    @Test func `an authorization response is an answer`() throws {
        let kind = TokenKind.authorizationResponse
        for name in ["error", "access_token", "id_token"] {
            #expect(
                try kind.refusal {
                    $0["code"] = nil
                    $0[name] = "x"
                } == nil
            )
        }
        for name in ["code", "state"] {
            #expect(try kind.refusal { $0[name] = 1 } == .malformedClaims, "\(name)")
        }
        #expect(try kind.refusal { $0["code"] = "" } == .malformedClaims)
        #expect(try kind.refusal { $0["events"] = [:] } == .forbiddenClaim)
    }

    @Test func `an authorization response is short-lived`() throws {
        let kind = TokenKind.authorizationResponse
        #expect(try kind.refusal { $0["exp"] = 1_800_000_660 } == nil)
        #expect(try kind.refusal { $0["exp"] = 1_800_000_661 } == .tooLongLived)
        let policy = JWTPolicy.authorizationResponse(
            issuer: TokenKind.issuer,
            clientID: TokenKind.client,
            algorithms: [.es256],
            maxLifetime: .seconds(30)
        )
        #expect(try kind.refusal(by: policy) { $0["exp"] = 1_800_000_091 } == .tooLongLived)
    }

    @Test func `a chat token is for its chat`() throws {
        let kind = TokenKind.chatToken
        #expect(try kind.refusal { $0["chat"] = ["id": "chat-2"] } == .wrongClaim)
        #expect(try kind.refusal { $0["chat"] = ["id": 1] } == .malformedClaims)
        #expect(try kind.refusal { $0["chat"] = "chat-1" } == .malformedClaims)
        #expect(try kind.refusal { $0["chat"] = [:] } == .missingClaim)
        #expect(try kind.refusal { $0["sub"] = "" } == .malformedClaims)
        #expect(try kind.refusal { $0["events"] = [:] } == .forbiddenClaim)
    }
}
