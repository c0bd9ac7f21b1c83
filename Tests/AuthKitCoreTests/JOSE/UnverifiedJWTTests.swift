import AuthKitCore
import Testing

@Suite struct UnverifiedJWTTests {
    static func claims(of token: String) -> JSONObject? {
        (try? UnverifiedJWT(decoding: token))?.claims
    }

    @Test func `a token is taken apart without a key`() throws {
        let token = try UnverifiedJWT(decoding: try TestKeys.token(type: "JWT"))
        #expect(token.header.algorithm == .es256)
        #expect(token.header.keyID == "one")
        #expect(token.header.type == "JWT")
        #expect(token.claims?["sub"]?.string == "alice")
    }

    @Test func `an unknown algorithm can be shown`() throws {
        let token = try UnverifiedJWT(decoding: Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + ".e30.")
        #expect(token.header.algorithmName == "none")
        #expect(token.header.algorithm == nil)
        #expect(token.claims == [:])
    }

    @Test func `the hint is the exp of a JWT`() throws {
        #expect(UnverifiedJWT.expiryHint(of: Secret(try TestKeys.token())) == WallTime(seconds: 1_800_000_300))
    }

    @Test func `there is no hint in anything else`() throws {
        let odd = [
            "", "opaque", "a.b.c", "..", try TestKeys.token { $0["exp"] = nil },
            try TestKeys.token { $0["exp"] = "soon" },
            try TestKeys.token { $0["exp"] = -5 }, try TestKeys.token(header: "{}", payload: "[]"),
            String(repeating: "x", count: 2 << 20),
        ]
        for text in odd { #expect(UnverifiedJWT.expiryHint(of: Secret(text)) == nil) }
    }
}
