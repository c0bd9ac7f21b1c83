import AuthKitCore

/// One token with its keys: 13 claims of 369 bytes, a header with `alg`, `kid` and `typ`; 938 bytes with RS256.
struct SampleToken: Sendable {
    static let issuer = "https://issuer.example.com"
    static let audience = "client"

    let algorithm: JWSAlgorithm
    let key: PrivateJWK
    let signer: SigningKey
    let header: JSONObject
    let claims: [UInt8]
    let text: String
    /// What is signed.
    let signingInput: [UInt8]
    /// The signature in JOSE's form.
    let signature: [UInt8]

    /// Makes a key and signs a token that is valid for an hour from that time.
    init(_ algorithm: JWSAlgorithm, at now: WallTime) throws {
        let name = "benchmark-\(algorithm.name)-"
        let keyID = name + String(repeating: "0", count: 40 - name.count)
        self.algorithm = algorithm
        key = try PrivateJWK.generate(.fit(for: algorithm), keyID: keyID)
        signer = try SigningKey(key, algorithm: algorithm)
        header = ["alg": .string(algorithm.name), "kid": .string(keyID), "typ": "JWT"]
        claims = try Self.claims(at: now)
        text = try JWS.sign(payload: claims, header: header, with: signer)
        let parts = text.split(separator: ".")
        signingInput = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        signature = try Base64URL.decode(String(parts[2]))
    }

    /// The signature in libcrypto's form.
    var rawSignature: [UInt8] {
        get throws { algorithm.name.hasPrefix("ES") ? try RawKey.der(signature) : signature }
    }

    /// The name of the digest for libcrypto; none for EdDSA, which has its own.
    var digestName: String? { algorithm == .edDSA ? nil : "SHA2-\(algorithm.name.suffix(3))" }

    /// The libcrypto call that checks this token's signature.
    var rawVerification: RawVerification {
        get throws {
            try RawVerification(
                der: try key.publicKey.der(),
                digest: digestName,
                isPSS: algorithm.name.hasPrefix("PS")
            )
        }
    }

    /// The bytes of a symmetric key.
    var secret: [UInt8] {
        get throws { try Base64URL.decode(try key.privateMembers()["k"]?.string ?? "") }
    }

    private static func claims(at now: WallTime) throws -> [UInt8] {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "248289761001", "aud": .string(audience), "azp": .string(audience),
            "exp": .integer(now.seconds + 3600), "iat": .integer(now.seconds), "nbf": .integer(now.seconds),
            "auth_time": .integer(now.seconds - 60), "nonce": "n-0S6_WzA2Mj", "at_hash": "77QmUPtjPfzWtF2AnpK9RQ",
            "email": "jane.doe@example.com", "email_verified": true, "sid": "",
        ]
        claims["sid"] = .string(String(repeating: "s", count: max(0, 369 - claims.serialized().count)))
        let bytes = claims.serialized()
        guard claims.count == 13, bytes.count == 369 else { throw BenchmarkError("The claims are not of 369 bytes.") }
        return bytes
    }
}
