import AuthKitCore
import Testing

@Suite struct ClientPresetTests {
    @Test func `an assertion is about the client itself`() throws {
        let kind = TokenKind.clientAssertion
        #expect(try kind.refusal { $0["sub"] = "other" } == .wrongClaim)
        #expect(try kind.refusal { $0["sub"] = "" } == .malformedClaims)
        #expect(try kind.refusal { $0["jti"] = "" } == .malformedClaims)
    }

    @Test func `an assertion is for one server only`() throws {
        let kind = TokenKind.clientAssertion
        #expect(try kind.refusal { $0["aud"] = ["https://issuer.example"] } == nil)
        let both: JSONValue = ["https://issuer.example", "https://evil.example"]
        #expect(try kind.refusal { $0["aud"] = both } == .wrongAudience)
    }

    @Test func `an assertion does not live for long`() throws {
        let kind = TokenKind.clientAssertion
        #expect(try kind.refusal { $0["exp"] = 1_800_003_660 } == nil)
        #expect(try kind.refusal { $0["exp"] = 1_800_003_661 } == .tooLongLived)
        #expect(try kind.refusal { $0["events"] = [:] } == .forbiddenClaim)
    }

    @Test func `a request object is the client's and cannot pass for an assertion`() throws {
        let kind = TokenKind.requestObject
        #expect(try kind.refusal { $0["client_id"] = "other" } == .wrongClaim)
        #expect(try kind.refusal { $0["sub"] = "client" } == .forbiddenClaim)
        #expect(try kind.refusal { $0["sub"] = "alice" } == nil)
        for name in ["request", "request_uri"] {
            #expect(try kind.refusal { $0[name] = "x" } == .forbiddenClaim, "\(name)")
        }
    }

    @Test func `a request object began and ends within an hour`() throws {
        let kind = TokenKind.requestObject
        #expect(try kind.refusal { $0["nbf"] = 1_799_996_700 } == nil)
        #expect(try kind.refusal { $0["nbf"] = 1_799_996_699 } == .tooLongLived)
        #expect(try kind.refusal { $0["exp"] = 1_800_003_600 } == nil)
        #expect(try kind.refusal { $0["exp"] = 1_800_003_601 } == .tooLongLived)
        #expect(try kind.refusal { $0["nbf"] = 1_800_000_061 } == .notYetValid)
    }

    @Test func `RFC 9101 alone asks for no end`() throws {
        let policy = JWTPolicy.requestObject(
            clientID: TokenKind.client,
            audience: TokenKind.issuer,
            algorithms: [.es256],
            maxLifetime: nil
        )
        for change: (inout JSONObject) -> Void in [
            { $0["exp"] = nil }, { $0["nbf"] = nil }, { $0["exp"] = 1_900_000_000 }, { $0["nbf"] = 1_700_000_000 },
        ] {
            #expect(try TokenKind.requestObject.refusal(by: policy, change) == nil)
        }
        #expect(try TokenKind.requestObject.refusal(by: policy) { $0["exp"] = 1_799_999_000 } == .expired)
    }

    @Test func `a proof is for one method and recent`() throws {
        let kind = TokenKind.dpopProof
        #expect(try kind.refusal { $0["htm"] = "POST" } == .wrongClaim)
        #expect(try kind.refusal { $0["htm"] = "get" } == .wrongClaim)
        #expect(try kind.refusal { $0["jti"] = "" } == .malformedClaims)
        #expect(try kind.refusal { $0["iat"] = 1_799_999_880 } == nil)
        #expect(try kind.refusal { $0["iat"] = 1_799_999_879 } == .tooOld)
        #expect(try kind.refusal { $0["iat"] = 1_800_000_061 } == .issuedInFuture)
    }
}
