import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// `AuthInfo` with its nine fields, and what is near its end.
@Suite struct AuthInfoTests {
    private let now = WallTime(seconds: 1_800_000_000)

    private func read(_ claims: JSONObject) -> AuthInfo? { AuthInfo(accessToken: Secret(SampleToken.jwt(claims))) }

    @Test func `all nine fields are read`() throws {
        let claims: JSONObject = [
            "exp": 1_800_003_600, "iat": 1_800_000_000, "user_id": "u-1", "sub": "s-1", "name": "Ada",
            "email": "ada@mail.example", "iss": "https://identity.example", "aud": "nsdk",
        ]
        let info = try #require(read(claims))
        #expect(info.token == Secret(SampleToken.jwt(claims)))
        #expect(info.expirationTime == 1_800_003_600)
        #expect(info.issuedAtTime == 1_800_000_000)
        #expect(info.userId == "u-1")
        #expect(info.subject == "s-1")
        #expect(info.name == "Ada")
        #expect(info.email == "ada@mail.example")
        #expect(info.issuer == "https://identity.example")
        #expect(info.audience == "nsdk")
    }

    @Test func `what is absent is empty, and a time is 0`() throws {
        let info = try #require(read([:]))
        let texts = [info.userId, info.subject, info.name, info.email, info.issuer, info.audience]
        #expect(texts == Array(repeating: "", count: 6))
        #expect(info.expirationTime == 0 && info.issuedAtTime == 0)
        #expect(info.isExpiredOrExpiringSoon(at: now))
    }

    @Test(arguments: ["user_id", "userId", "uid", "https://nianticspatial.com/user_id"])
    func `the user's identifier is found under several names`(_ name: String) {
        var claims = JSONObject()
        claims[name] = "u-1"
        #expect(read(claims)?.userId == "u-1")
    }

    @Test func `the names of the user's identifier can be set`() {
        let token = Secret(SampleToken.jwt(["account": "u-2", "uid": "u-1"]))
        #expect(AuthInfo(accessToken: token, userIDClaims: ["account"])?.userId == "u-2")
        #expect(AuthInfo(accessToken: token, userIDClaims: [])?.userId == "")
    }

    @Test func `an audience may be several`() {
        #expect(read(["aud": ["first", "second"]])?.audience == "first")
        #expect(read(["aud": []])?.audience == "")
    }

    @Test(arguments: ["1800003600", "1800003600.0", "\"1800003600\""])
    func `exp may be whole, fractional, or digits in a string`(_ exp: String) throws {
        let claims = try #require(try JSONValue(parsing: Array(#"{"exp":\#(exp)}"#.utf8)).object)
        #expect(read(claims)?.expirationTime == 1_800_003_600)
    }

    @Test func `times beyond 2038 are told`() {
        #expect(read(["exp": 4_102_444_800])?.expirationTime == 4_102_444_800)
    }

    @Test(arguments: ["", "a.b", "a.b.c", "e30.e30.", "e30.bm8.c2ln"])
    func `what is no JWT has no info`(_ token: String) {
        #expect(AuthInfo(accessToken: Secret(token)) == nil)
    }

    @Test func `with 60 s left a token counts as expiring, with 61 it does not`() throws {
        let claims: (Int64) -> JSONObject = { ["exp": .integer($0)] }
        #expect(try #require(read(claims(now.seconds + 60))).isExpiredOrExpiringSoon(at: now))
        #expect(try !#require(read(claims(now.seconds + 61))).isExpiredOrExpiringSoon(at: now))
        #expect(try #require(read(claims(now.seconds - 1))).isExpiredOrExpiringSoon(at: now))
        #expect(try !#require(read(claims(now.seconds + 11))).isExpiredOrExpiringSoon(at: now, within: .seconds(10)))
    }

    @Test func `a dump shows no token`() throws {
        let token = SampleToken.jwt(["sub": "s-1"])
        var text = ""
        dump(try #require(AuthInfo(accessToken: Secret(token))), to: &text)
        #expect(!text.contains(token))
        #expect(!text.contains(String(token.suffix(4))))
    }
}
