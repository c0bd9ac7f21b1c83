import AuthKitCore

/// Tokens as the identity service writes them: three parts, which nobody here verifies.
enum SampleToken {
    /// A token with these claims.
    static func jwt(_ claims: JSONObject) -> String {
        let header: JSONObject = ["alg": "RS256", "typ": "JWT"]
        let body = claims.serialized()
        return [header.serialized(), body, signature(of: body)].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    /// Bytes whose text ends in four characters that stand nowhere by chance, and that two tokens seldom share.
    private static func signature(of claims: [UInt8]) -> [UInt8] {
        // FNV-1a.
        let hash = claims.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        let (first, last) = (UInt8(hash & 63), UInt8((hash >> 32) & 63))
        // Six bits to a character: the first, 62 (`-`), 63 (`_`), the last.
        return Array("signature".utf8) + [(first << 2) | 0x03, 0xEF, 0xC0 | last]
    }

    /// A token of one kind, told apart by its number.
    static func make(
        _ kind: String,
        _ number: Int,
        subject: String? = "user-1",
        ends: WallTime?,
        issued: WallTime? = nil
    ) -> String {
        var claims: JSONObject = ["jti": .string("\(kind)-\(number)"), "iss": "https://identity.example"]
        if let subject {
            claims["sub"] = .string(subject)
            claims["email"] = .string("\(subject)@mail.example")
        }
        claims["exp"] = ends.map { .integer($0.seconds) }
        claims["iat"] = issued.map { .integer($0.seconds) }
        return jwt(claims)
    }

    /// Which one a token is: `session-2`.
    static func name(of token: String?) -> String? {
        guard let token, let jwt = try? UnverifiedJWT(decoding: token) else { return nil }
        return jwt.claims?["jti"]?.string
    }

    static func name(of token: HeldToken?) -> String? { name(of: token?.value.reveal()) }
}
