import AuthKitCore
import Testing

@Suite struct JWTRuleTests {
    // OpenID Connect Core 1.0, Appendix A.3 and A.4: the digest is SHA-256 under ES256 as under RS256.
    private let accessToken = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    private let code = Secret("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")

    private func refusal(
        _ rules: JWTRule...,
        change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JWTError.Code? {
        var policy = TokenKind.idToken.policy
        policy.rules = rules
        return try TokenKind.idToken.refusal(by: policy, change)
    }

    @Test func `rules are checked after everything else, in their order`() throws {
        let rules: [JWTRule] = [.absent(["sub"]), .claim("sub", is: "bob")]
        var policy = TokenKind.idToken.policy
        policy.rules = rules
        #expect(try TokenKind.idToken.refusal(by: policy) == .forbiddenClaim)
        policy.rules = rules.reversed()
        #expect(try TokenKind.idToken.refusal(by: policy) == .wrongClaim)
        #expect(try TokenKind.idToken.refusal(by: policy) { $0["exp"] = 1 } == .expired)
    }

    @Test func `a claim is compared byte for byte`() throws {
        #expect(try refusal(.claim("x", is: "caf\u{E9}")) { $0["x"] = "caf\u{E9}" } == nil)
        #expect(try refusal(.claim("x", is: "caf\u{E9}")) { $0["x"] = "cafe\u{301}" } == .wrongClaim)
        #expect(try refusal(.claim("x", is: "a")) == .missingClaim)
        #expect(try refusal(.claim("x", is: "a")) { $0["x"] = .null } == .missingClaim)
        #expect(try refusal(.claim("x", is: "a")) { $0["x"] = ["a"] } == .malformedClaims)
    }

    @Test func `one of several claims is enough, null is none`() throws {
        #expect(try refusal(.present(anyOf: ["x", "y"])) { $0["y"] = false } == nil)
        #expect(try refusal(.present(anyOf: ["x", "y"])) { $0["y"] = .null } == .missingClaim)
        #expect(try refusal(.present(anyOf: [])) == .missingClaim)
    }

    @Test func `texts are looked at only where they are`() throws {
        #expect(try refusal(.text(["x"])) == nil)
        #expect(try refusal(.text(["x"])) { $0["x"] = "a" } == nil)
        #expect(try refusal(.text(["x"])) { $0["x"] = "" } == .malformedClaims)
        #expect(try refusal(.text(["x", "y"])) { $0["y"] = 1 } == .malformedClaims)
    }

    @Test func `at_hash belongs to the access token`() throws {
        let rule = JWTRule.accessTokenHash(of: accessToken)
        #expect(try refusal(rule) { $0["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" } == nil)
        #expect(try refusal(rule) { $0["at_hash"] = "LDktKdoQak3Pk0cnXxCltA" } == .wrongHash)
        #expect(try refusal(rule) { $0["at_hash"] = "" } == .malformedClaims)
        #expect(try refusal(rule) == .missingClaim)
    }

    @Test func `at_hash may be absent where the flow allows it`() throws {
        let rule = JWTRule.accessTokenHashIfPresent(of: accessToken)
        #expect(try refusal(rule) == nil)
        #expect(try refusal(rule) { $0["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" } == nil)
        #expect(try refusal(rule) { $0["at_hash"] = "LDktKdoQak3Pk0cnXxCltA" } == .wrongHash)
        #expect(try refusal(rule) { $0["at_hash"] = .null } == .missingClaim)
        #expect(try refusal(rule) { $0["at_hash"] = 1 } == .malformedClaims)
    }

    @Test func `c_hash belongs to the code and s_hash to the state`() throws {
        #expect(try refusal(.codeHash(of: code)) { $0["c_hash"] = "LDktKdoQak3Pk0cnXxCltA" } == nil)
        #expect(try refusal(.codeHash(of: accessToken)) { $0["c_hash"] = "LDktKdoQak3Pk0cnXxCltA" } == .wrongHash)
        #expect(try refusal(.codeHash(of: code)) == .missingClaim)
        #expect(try refusal(.stateHash(of: code)) { $0["s_hash"] = "LDktKdoQak3Pk0cnXxCltA" } == nil)
        #expect(try refusal(.stateHash(of: code)) { $0["s_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" } == .wrongHash)
        #expect(try refusal(.stateHash(of: code)) == .missingClaim)
    }

    @Test func `a bound token names the key's thumbprint`() throws {
        let rule = JWTRule.boundKey(thumbprint: "abc")
        #expect(try refusal(rule) { $0["cnf"] = ["jkt": "abc"] } == nil)
        #expect(try refusal(rule) { $0["cnf"] = ["jkt": "abd"] } == .keyMismatch)
        #expect(try refusal(rule) { $0["cnf"] = ["jkt": 1] } == .malformedClaims)
        #expect(try refusal(rule) { $0["cnf"] = ["x5t#S256": "abc"] } == .missingClaim)
        #expect(try refusal(rule) { $0["cnf"] = "abc" } == .malformedClaims)
        #expect(try refusal(rule) == .missingClaim)
    }

    @Test func `ages and ends are counted with the skew`() throws {
        #expect(try refusal(.issued(within: .seconds(10))) { $0["iat"] = 1_799_999_930 } == nil)
        #expect(try refusal(.issued(within: .seconds(10))) { $0["iat"] = 1_799_999_929 } == .tooOld)
        #expect(try refusal(.issued(within: .seconds(10))) { $0["iat"] = nil } == .missingClaim)
        #expect(try refusal(.ends(within: .seconds(240))) == nil)
        #expect(try refusal(.ends(within: .seconds(239))) == .tooLongLived)
        #expect(try refusal(.ends(within: .seconds(239))) { $0["exp"] = nil } == .missingClaim)
        #expect(try refusal(.authenticated(within: .seconds(10))) == .missingClaim)
    }

    @Test func `one audience is one audience`() throws {
        #expect(try refusal(.soleAudience) == nil)
        #expect(try refusal(.soleAudience) { $0["aud"] = ["client", "client"] } == .wrongAudience)
        var policy = TokenKind.chatToken.policy
        policy.rules = [.soleAudience]
        #expect(try TokenKind.chatToken.refusal(by: policy) == .missingClaim)
    }

    @Test func `a rule does not print what it compares with`() {
        let rule = JWTRule.claim("state", is: "hidden-value")
        var text = "\(rule) \(String(reflecting: rule)) "
        dump(rule, to: &text)
        #expect(!text.contains("hidden-value"))
    }
}
