import Testing

@testable import AuthKitCore

/// `WWW-Authenticate` as resources write it, and as they should not.
@Suite struct AuthorizationChallengeTests {
    private func challenge(_ values: String..., status: Int = 401) -> AuthorizationChallenge? {
        AuthorizationChallenge(status: status, fields: values.map { HTTPField("WWW-Authenticate", $0) })
    }

    @Test func `RFC 6750 §3: an expired token`() throws {
        let text = "Bearer realm=\"example\", error=\"invalid_token\", error_description=\"The access token expired\""
        let challenge = try #require(self.challenge(text))
        #expect(challenge.error == "invalid_token")
        #expect(challenge.errorDescription == "The access token expired")
        #expect(challenge.schemes.map(\.name) == ["bearer"])
        #expect(challenge.schemes[0].parameters["realm"] == "example")
    }

    @Test func `RFC 9110 §11.6.1: several challenges in one field, in several fields, and empty list elements`() throws
    {
        let one = "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\""
        let two = ",, Negotiate a87421000492aa874209af8bc028== ,, , Bearer"
        let challenge = try #require(self.challenge(one, two))
        #expect(challenge.schemes.map(\.name) == ["basic", "newauth", "negotiate", "bearer"])
        #expect(challenge.schemes[1].parameters == ["realm": "apps", "type": "1", "title": "Login to \"apps\""])
        #expect(challenge.schemes[2].parameters == [:])
        #expect(challenge.error == nil)
    }

    @Test func `names are compared without case, and spaces may stand around the sign`() throws {
        let challenge = try #require(self.challenge("BEARER Error = invalid_token ,SCOPE\t=\t\"a b\""))
        #expect(challenge.error == "invalid_token")
        #expect(challenge.scope == Scope("a b"))
    }

    @Test func `the parameters are those of the scheme that names the error`() throws {
        let challenge = try #require(
            self.challenge("Bearer scope=\"x\", DPoP error=\"insufficient_scope\", scope=\"y\", algs=\"ES256\"")
        )
        #expect(challenge.error == "insufficient_scope")
        #expect(challenge.scope == Scope("y"))
        #expect(self.challenge("Basic error=\"invalid_token\"")?.error == nil)
    }

    @Test func `RFC 9470 §3: a step up`() throws {
        let challenge = try #require(
            self.challenge(
                "Bearer error=\"insufficient_user_authentication\", "
                    + "error_description=\"A different authentication level is required\", "
                    + "acr_values=\"myACR other\", max_age=\"5\""
            )
        )
        #expect(challenge.acrValues == ["myACR", "other"])
        #expect(challenge.maxAge == .seconds(5))
        for age in ["-1", "99999999999", "5s", ""] {
            #expect(self.challenge("Bearer error=\"x\", max_age=\"\(age)\"")?.maxAge == nil)
        }
    }

    @Test func `a 401 is a challenge in any case, another 4xx when it names an error`() {
        #expect(AuthorizationChallenge(status: 401, fields: []) != nil)
        #expect(challenge("Bearer error=\"insufficient_scope\"", status: 403) != nil)
        #expect(challenge("Bearer", status: 403) == nil)
        #expect(AuthorizationChallenge(status: 403, fields: []) == nil)
        #expect(challenge("Bearer error=\"invalid_token\"", status: 200) == nil)
        #expect(challenge("Bearer error=\"invalid_token\"", status: 500) == nil)
    }

    @Test(arguments: [
        "Bearer error=\"invalid_token", "Bearer error=\"invalid_token\\", "=", "\"", ",", " ", "Bearer =", "Bearer a=",
        "Bearer error==x", "Bearer a=\"b\"c", "Bearer a=b c=d", "\u{0}\u{1}", "é error=x",
    ])
    func `what breaks the grammar gives no error and no crash`(_ text: String) {
        #expect(challenge(text)?.error == nil)
        #expect(challenge(text) != nil)
    }

    @Test func `what was read before the break stays, and a broken field harms no other`() throws {
        let challenge = try #require(self.challenge("Bearer error=\"invalid_token\", x=\"", "DPoP realm=r"))
        #expect(challenge.error == "invalid_token")
        #expect(challenge.schemes.map(\.name) == ["bearer", "dpop"])
    }

    @Test func `of a name that comes twice the first counts`() {
        #expect(challenge("Bearer error=insufficient_scope, error=invalid_token")?.error == "insufficient_scope")
    }

    @Test func `hostile input is bounded`() throws {
        let many = [String](repeating: "Bearer", count: 10_000).joined(separator: ",")
        #expect(try #require(self.challenge(many)).schemes.count == 16)
        let parameters = (0..<10_000).map { "p\($0)=v" }.joined(separator: ",")
        #expect(try #require(self.challenge("Bearer \(parameters)")).schemes[0].parameters.count == 32)
        let long = String(repeating: "x", count: 1 << 20)
        #expect(try #require(self.challenge("Bearer error=\"\(long)\"")).error == nil)
        #expect(try #require(self.challenge(String(repeating: "\\\"", count: 1 << 20))).schemes.isEmpty)
        let fields = (0..<10_000).map { _ in HTTPField("WWW-Authenticate", "Bearer realm=\"r\"") }
        #expect(try #require(AuthorizationChallenge(status: 401, fields: fields)).schemes.count == 16)
    }

    @Test func `control characters do not reach messages`() {
        #expect(challenge("Bearer error=\"x\", error_description=\"a\u{1B}[31mb\"")?.errorDescription == "a [31mb")
    }

    @Test func `a nonce is taken when it is one`() {
        func nonce(_ values: String...) -> String? {
            AuthorizationChallenge(status: 401, fields: values.map { HTTPField("DPoP-Nonce", $0) })?.nonce
        }
        #expect(nonce("eyJ7S_zG.eyJH0-Z.HX4w-7v") == "eyJ7S_zG.eyJH0-Z.HX4w-7v")
        #expect(nonce() == nil)
        #expect(nonce("a", "b") == nil)
        #expect(nonce("") == nil)
        #expect(nonce("a b") == nil)
        #expect(nonce("a\"b") == nil)
        #expect(nonce(String(repeating: "n", count: 1000)) == nil)
    }

    @Test func `texts that repeat a secret are withheld`() throws {
        let challenge = try #require(
            self.challenge("Bearer error=\"invalid_token\", error_description=\"bad: secret-1\"")
        )
        let withheld = challenge.withholding(Secret("secret-1"))
        #expect(withheld.errorDescription == nil)
        #expect(withheld.error == "invalid_token")
    }
}
