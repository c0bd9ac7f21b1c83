import AuthKitCore
import Testing

@Suite struct JWTClaimsTests {
    private let keys: JWKSet

    init() throws {
        keys = try TestKeys.set([("one", TestKeys.es256)])
    }

    private func refusal(
        policy: JWTPolicy = TestKeys.policy(),
        type: String? = nil,
        at seconds: Int64 = 1_800_000_000,
        _ change: (inout JSONObject) -> Void
    ) throws -> JWTError.Code? {
        let token = try TestKeys.token(type: type, change)
        return TestKeys.refusal(of: token, keys: keys, policy: policy, at: WallTime(seconds: seconds))
    }

    @Test(arguments: ["", "[]", "null", "\"x\"", "{", "{} {}", #"{"iss":"a","iss":"a"}"#, #"{"a":{"b":1,"b":2}}"#])
    func `claims that are not one JSON object are refused`(_ payload: String) throws {
        let token = try TestKeys.token(header: #"{"alg":"ES256"}"#, payload: payload)
        #expect(TestKeys.refusal(of: token, keys: keys) == .malformedClaims)
    }

    @Test func `a token ends with exp, give or take the skew`() throws {
        for (second, code) in [(1_800_000_359, nil), (1_800_000_360, .expired), (1_900_000_000, .expired)]
            as [(Int64, JWTError.Code?)]
        {
            #expect(try refusal(at: second) { _ in } == code)
        }
        var strict = TestKeys.policy()
        strict.clockSkew = .zero
        #expect(try refusal(policy: strict, at: 1_800_000_299) { _ in } == nil)
        #expect(try refusal(policy: strict, at: 1_800_000_300) { _ in } == .expired)
    }

    @Test func `a token begins with nbf, give or take the skew`() throws {
        #expect(try refusal { $0["nbf"] = 1_800_000_060 } == nil)
        #expect(try refusal { $0["nbf"] = 1_800_000_061 } == .notYetValid)
        #expect(try refusal { $0["nbf"] = JSONNumber(1_800_000_060.5).map(JSONValue.number) } == .notYetValid)
    }

    @Test func `a token from the future is refused`() throws {
        #expect(try refusal { $0["iat"] = 1_800_000_060 } == nil)
        #expect(try refusal { $0["iat"] = 1_800_000_061 } == .issuedInFuture)
    }

    @Test func `the skew stays below six minutes`() throws {
        var policy = TestKeys.policy()
        policy.clockSkew = .seconds(3600)
        #expect(policy.clockSkew < .seconds(360))
        #expect(try refusal(policy: policy, at: 1_800_000_660) { _ in } == .expired)
        policy.clockSkew = .seconds(-10)
        #expect(policy.clockSkew == .zero)
        #expect(
            JWTPolicy(algorithms: [], issuer: "i", audience: "a", clockSkew: .seconds(3600)).clockSkew < .seconds(360)
        )
    }

    @Test(arguments: ["exp", "nbf", "iat"])
    func `dates must be numbers that are dates`(_ name: String) throws {
        for literal in [
            #""1800000300""#, "null", "true", "[1800000300]", "{}", "-1", "1e400", "1e19", "-0.5", "-1e-19",
        ] {
            let error = try error(ofDate: name, literal)
            #expect(error?.code == .malformedClaims, "\(literal)")
            #expect(error?.detail.contains(" \(name) ") == true, "\(literal): \(error?.detail ?? "")")
        }
    }

    @Test(arguments: ["exp", "nbf", "iat"], ["NaN", "Infinity", "-Infinity", "0x6B49D200", "01800000300", "1."])
    func `dates are written as JSON writes numbers`(_ name: String, _ literal: String) throws {
        #expect(try error(ofDate: name, literal)?.code == .malformedClaims)
    }

    private func error(ofDate name: String, _ literal: String) throws -> JWTError? {
        let payload = #"{"iss":"https://issuer.example","aud":"client","\#(name)":\#(literal)}"#
        let token = try TestKeys.token(header: #"{"alg":"ES256"}"#, payload: payload)
        return #expect(throws: JWTError.self) {
            try JWTVerifier(policy: TestKeys.policy()).verify(token, with: keys, at: TestKeys.now)
        }
    }

    @Test func `fractional dates and those beyond 2038 are right`() throws {
        let dates: [(String, Duration)] = [
            ("1800000300.75", .milliseconds(1_800_000_300_750)), ("1.8000003e9", .seconds(1_800_000_300)),
            ("4102444800", .seconds(4_102_444_800)), ("253402300799", .seconds(253_402_300_799)),
        ]
        for (literal, expected) in dates {
            let payload = #"{"iss":"https://issuer.example","aud":"client","exp":\#(literal)}"#
            let token = try TestKeys.token(header: #"{"alg":"ES256"}"#, payload: payload)
            let verified = try JWTVerifier(policy: TestKeys.policy()).verify(token, with: keys, at: TestKeys.now)
            #expect(verified.expiresAt == WallTime(sinceEpoch: expected))
        }
        #expect(try refusal { $0["exp"] = .integer(Int64.max) } == nil)
    }

    @Test func `exp may be absent unless it is required`() throws {
        #expect(try refusal { $0["exp"] = nil } == nil)
        var policy = TestKeys.policy()
        policy.requiredClaims = ["exp", "sub"]
        #expect(try refusal(policy: policy) { $0["exp"] = nil } == .missingClaim)
        #expect(try refusal(policy: policy) { $0["sub"] = nil } == .missingClaim)
        policy.requiredClaims = ["extra"]
        #expect(try refusal(policy: policy) { $0["extra"] = .null } == .missingClaim)
        #expect(try refusal(policy: policy) { $0["extra"] = false } == nil)
    }

    @Test func `the issuer is compared byte for byte`() throws {
        for issuer in [
            "https://issuer.example/", "https://ISSUER.example", "http://issuer.example", "",
            "https://issuer.example\u{0}", "https://issuer.e\u{301}xample",
        ] {
            #expect(try refusal { $0["iss"] = .string(issuer) } == .wrongIssuer)
        }
        #expect(try refusal { $0["iss"] = nil } == .missingClaim)
        #expect(try refusal { $0["iss"] = 1 } == .malformedClaims)
        var policy = TestKeys.policy()
        policy.issuer = .exactly("K")
        // The Kelvin sign: equal to K as Swift compares texts.
        #expect(try refusal(policy: policy) { $0["iss"] = "\u{212A}" } == .wrongIssuer)
    }

    @Test func `the audience is a string or a list that names us`() throws {
        #expect(try refusal { $0["aud"] = ["other", "client"] } == nil)
        #expect(try refusal { $0["aud"] = "other" } == .wrongAudience)
        #expect(try refusal { $0["aud"] = "client2" } == .wrongAudience)
        #expect(try refusal { $0["aud"] = "CLIENT" } == .wrongAudience)
        #expect(try refusal { $0["aud"] = [] } == .wrongAudience)
        #expect(try refusal { $0["aud"] = nil } == .missingClaim)
        for wrong in [1, [1], ["client", .null], [["client"]], ["client": true], .null] as [JSONValue] {
            #expect(try refusal { $0["aud"] = wrong } == .malformedClaims)
        }
        var free = TestKeys.policy()
        free.audience = .insecureAny
        #expect(try refusal(policy: free) { $0["aud"] = nil } == nil)
        #expect(try refusal(policy: free) { $0["aud"] = 1 } == .malformedClaims)
    }

    @Test func `the nonce must be ours where one is asked for`() throws {
        var policy = TestKeys.policy()
        policy.nonce = "abc"
        #expect(try refusal(policy: policy) { $0["nonce"] = "abc" } == nil)
        #expect(try refusal(policy: policy) { $0["nonce"] = "abd" } == .wrongNonce)
        #expect(try refusal(policy: policy) { $0["nonce"] = "" } == .wrongNonce)
        #expect(try refusal(policy: policy) { $0["nonce"] = ["abc"] } == .malformedClaims)
        #expect(try refusal(policy: policy) { _ in } == .missingClaim)
    }

    @Test func `subject and identifier must be strings`() throws {
        for name in ["sub", "jti"] { #expect(try refusal { $0[name] = 7 } == .malformedClaims) }
    }

    @Test func `the type is compared as a media type`() throws {
        var policy = TestKeys.policy()
        policy.type = .oneOf(["at+jwt"])
        for good in ["at+jwt", "AT+JWT", "application/at+jwt", "Application/at+JWT"] {
            #expect(try refusal(policy: policy, type: good) { _ in } == nil)
        }
        for wrong in ["JWT", "", "at+jwt2", "text/at+jwt", "at+jwt;v=1"] {
            #expect(try refusal(policy: policy, type: wrong) { _ in } == .wrongType)
        }
        #expect(try refusal(policy: policy) { _ in } == .wrongType)
        policy.type = .absentOrOneOf(["JWT"])
        #expect(try refusal(policy: policy) { _ in } == nil)
        #expect(try refusal(policy: policy, type: "jwt") { _ in } == nil)
        #expect(try refusal(policy: policy, type: "logout+jwt") { _ in } == .wrongType)
    }

    @Test func `a claim read by type refuses another type`() throws {
        let token = try TestKeys.token { $0["a"] = 1 }
        let verified = try JWTVerifier(policy: TestKeys.policy()).verify(token, with: keys, at: TestKeys.now)
        #expect(try verified.string("sub") == "alice")
        #expect(try verified.string("absent") == nil)
        #expect(try verified.date("exp") == WallTime(seconds: 1_800_000_300))
        let first = #expect(throws: JWTError.self) { try verified.string("a") }
        let second = #expect(throws: JWTError.self) { try verified.date("sub") }
        #expect(first?.code == .malformedClaims)
        #expect(second?.code == .malformedClaims)
    }
}
