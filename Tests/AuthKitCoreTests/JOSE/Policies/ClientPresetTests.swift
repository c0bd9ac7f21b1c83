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

    @Test func `a request object may be asked to end`() throws {
        #expect(try TokenKind.requestObject.refusal { $0["exp"] = nil } == nil)
        var policy = TokenKind.requestObject.policy
        policy.requiredClaims.append("exp")
        #expect(try TokenKind.requestObject.refusal(by: policy) { $0["exp"] = nil } == .missingClaim)
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
