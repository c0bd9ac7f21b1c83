/// A private key that signs with one algorithm; immutable, shared by any number of threads.
package struct SigningKey: Sendable {
    /// The one algorithm that it signs with (RFC 8725 §3.1: one key, one algorithm).
    package let algorithm: JWSAlgorithm
    private let key: EVPKey

    private init(algorithm: JWSAlgorithm, key: EVPKey) {
        self.algorithm = algorithm
        self.key = key
    }

    /// Generates a key for an algorithm; RSA keys have 2048 bits.
    package static func generate(_ algorithm: JWSAlgorithm) throws(CryptoError) -> SigningKey {
        let key =
            switch algorithm.scheme {
            case .rsaPKCS1, .rsaPSS: try EVPKey.generate("RSA", rsaBits: 2048)
            case .ecdsa(let curve, _): try EVPKey.generate("EC", group: curve.name)
            case .ed25519: try EVPKey.generate("ED25519")
            }
        return SigningKey(algorithm: algorithm, key: key)
    }

    /// Takes an RSA key with all the numbers that RFC 7518 §6.3.2 names, big-endian.
    static func rsa(
        _ algorithm: JWSAlgorithm,
        numbers: [(name: ParameterName, bytes: [UInt8])]
    ) throws(CryptoError) -> SigningKey {
        var parameters = ParameterList()
        for (name, bytes) in numbers { parameters.add(name, bigEndian: bytes) }
        let key = try EVPKey.make("RSA", parameters, isPrivate: true)
        guard key.bits >= 2048 else { throw CryptoError(.invalidInput, "Use an RSA key of at least 2048 bits.") }
        return SigningKey(algorithm: algorithm, key: key)
    }

    /// Takes a point and its private number, all at full length.
    static func ec(
        _ algorithm: JWSAlgorithm,
        _ curve: EllipticCurve,
        x: [UInt8],
        y: [UInt8],
        d: [UInt8]
    ) throws(CryptoError) -> SigningKey {
        guard x.count == curve.coordinateCount, y.count == x.count, d.count == x.count else {
            throw CryptoError(.invalidInput, "The numbers do not have the length that \(curve.name) asks for.")
        }
        var parameters = ParameterList()
        parameters.add(.group, text: curve.name)
        parameters.add(.publicKey, bytes: [4] + x + y)
        parameters.add(.privateKey, bigEndian: d)
        return SigningKey(algorithm: algorithm, key: try EVPKey.make("EC", parameters, isPrivate: true))
    }

    /// Takes the 32 private bytes of Ed25519, with the public ones that belong to them.
    static func ed25519(_ algorithm: JWSAlgorithm, x: [UInt8], d: [UInt8]) throws(CryptoError) -> SigningKey {
        guard x.count == 32, d.count == 32 else { throw CryptoError(.invalidInput, "An Ed25519 key has 32 bytes.") }
        var parameters = ParameterList()
        parameters.add(.publicKey, bytes: x)
        parameters.add(.privateKey, bytes: d)
        return SigningKey(algorithm: algorithm, key: try EVPKey.make("ED25519", parameters, isPrivate: true))
    }

    /// Signs; the signature is in JOSE's form.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature = try SignatureContext.make(key, algorithm.scheme, signing: true).sign(message)
        guard case .ecdsa(let curve, _) = algorithm.scheme else { return signature }
        guard let raw = ECDSASignature.raw(fromDER: signature, on: curve) else { throw .drain("EVP_DigestSign") }
        return raw
    }

    /// The public members of the key as a JWK has them, without `kid`, `alg` and `use`.
    func publicMembers() throws(CryptoError) -> JSONObject {
        switch algorithm.scheme {
        case .rsaPKCS1, .rsaPSS:
            [
                "kty": "RSA",
                "n": .string(Base64URL.encode(try key.integer(.rsaN))),
                "e": .string(Base64URL.encode(try key.integer(.rsaE))),
            ]
        case .ecdsa(let curve, _):
            [
                "kty": "EC",
                "crv": .string(curve.name),
                "x": .string(Base64URL.encode(try key.integer(.ecX, paddedTo: curve.coordinateCount))),
                "y": .string(Base64URL.encode(try key.integer(.ecY, paddedTo: curve.coordinateCount))),
            ]
        case .ed25519:
            ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(try key.rawPublicKey(count: 32)))]
        }
    }
}
