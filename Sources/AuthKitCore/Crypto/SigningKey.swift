/// A key that signs with one algorithm; immutable, shared by any number of threads.
public struct SigningKey: Sendable {
    /// The one algorithm that it signs with (RFC 8725 §3.1: one key, one algorithm).
    public let algorithm: JWSAlgorithm
    /// The key.
    public let key: PrivateJWK

    /// Takes a private or symmetric key for an algorithm.
    ///
    /// `key_mismatch` when the key is of another kind than the algorithm needs or says that it is for something else,
    /// `weak_key` when it is too short (RFC 7518 §3.2, §3.3).
    public init(_ key: PrivateJWK, algorithm: JWSAlgorithm) throws(JWTError) {
        guard key.maySign(with: algorithm) else {
            throw JWTError(.keyMismatch, "The key is not one for \(algorithm); choose another key or algorithm.")
        }
        guard !key.publicKey.key.isTooShort(for: algorithm.scheme) else {
            throw JWTError(.weakKey, "The key is too short for \(algorithm); use a longer one.")
        }
        self.key = key
        self.algorithm = algorithm
    }

    /// Generates a key for an algorithm; RSA keys have 2048 bits, symmetric ones as many as the hash.
    public static func generate(_ algorithm: JWSAlgorithm) throws -> SigningKey {
        try SigningKey(PrivateJWK.generate(.fit(for: algorithm)), algorithm: algorithm)
    }

    /// Signs; the signature is in JOSE's form.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        if case .hmac(let digest) = algorithm.scheme, let symmetric = key.octets {
            return try HMAC.code(of: message, key: symmetric.bytes, digest: digest)
        }
        guard let pair = key.evp else { throw CryptoError(.invalidInput, "The key cannot sign.") }
        let signature = try SignatureContext.make(pair, algorithm.scheme).sign(message)
        guard case .ecdsa(let curve, _) = algorithm.scheme else { return signature }
        guard let raw = ECDSASignature.raw(fromDER: signature, on: curve) else { throw .drain("EVP_DigestSign") }
        return raw
    }

    /// The public half as a JWK, with `alg` and `use`, for publication.
    package func publicJWK(keyID: String? = nil) throws(JWTError) -> JWK {
        var members = key.publicKey.material
        members["alg"] = .string(algorithm.name)
        members["use"] = "sig"
        members["kid"] = keyID.map(JSONValue.string)
        return try JWK(members)
    }
}
