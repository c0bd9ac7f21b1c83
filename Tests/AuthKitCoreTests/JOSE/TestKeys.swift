import AuthKitCore

/// Keys that tests share, since making one takes a while.
enum TestKeys {
    static let rs256 = try! SigningKey.generate(.rs256)
    static let otherRS256 = try! SigningKey.generate(.rs256)
    static let es256 = try! SigningKey.generate(.es256)
    static let edDSA = try! SigningKey.generate(.edDSA)

    static let now = WallTime(seconds: 1_800_000_000)

    /// A set that holds the public halves under the kids given.
    static func set(_ keys: [(String?, SigningKey)]) throws -> JWKSet {
        JWKSet(try keys.map { try $0.1.publicJWK(keyID: $0.0) })
    }

    /// A token that satisfies `policy()`, changed as a test likes.
    static func token(
        with key: SigningKey = es256,
        keyID: String? = "one",
        type: String? = nil,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        var claims: JSONObject = [
            "iss": "https://issuer.example", "aud": "client", "sub": "alice", "exp": 1_800_000_300,
            "iat": 1_800_000_000,
        ]
        change(&claims)
        return try JWS.sign(payload: claims.serialized(), with: key, keyID: keyID, type: type)
    }

    /// A token whose header and payload are any text at all, with a valid signature.
    static func token(header: String, payload: String = "{}", with key: SigningKey = es256) throws -> String {
        let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
    }

    static func policy(_ algorithms: [JWSAlgorithm] = [.rs256, .es256, .edDSA]) -> JWTPolicy {
        JWTPolicy(algorithms: algorithms, issuer: "https://issuer.example", audience: "client")
    }

    /// The code with which a token is refused; nil when it is believed.
    static func refusal(
        of token: String,
        keys: JWKSet,
        policy: JWTPolicy = policy(),
        at now: WallTime = now
    ) -> JWTError.Code? {
        do {
            _ = try JWTVerifier(policy: policy).verify(token, with: keys, at: now)
            return nil
        } catch {
            return error.code
        }
    }
}

extension VerificationKey {
    /// Checks a signature that is given as an array, since `#expect` takes no span.
    func isValid(_ signature: [UInt8], of message: [UInt8], _ algorithm: JWSAlgorithm) throws -> Bool {
        try verify(signature: signature.span, message: message.span, algorithm: algorithm)
    }
}

extension SigningKey {
    /// Reads a private key's members for an algorithm.
    static func make(_ members: JSONObject, algorithm: JWSAlgorithm) throws(JWTError) -> SigningKey {
        try SigningKey(PrivateJWK(members), algorithm: algorithm)
    }
}
