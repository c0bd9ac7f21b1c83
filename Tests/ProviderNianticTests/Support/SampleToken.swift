import AuthKitCore

/// Tokens as the identity service writes them: three parts, which nobody here verifies.
enum SampleToken {
    /// A token with these claims.
    static func jwt(_ claims: JSONObject) -> String {
        let header: JSONObject = ["alg": "RS256", "typ": "JWT"]
        return [header.serialized(), claims.serialized(), Array("signature".utf8)]
            .map { Base64URL.encode($0) }.joined(separator: ".")
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
