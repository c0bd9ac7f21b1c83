/// A public key that checks signatures; immutable, shared by any number of threads.
package struct VerificationKey: Sendable {
    /// What kind of key it is.
    package let kind: KeyKind
    /// The modulus size for RSA, the group's for others.
    package let bits: Int
    private let key: EVPKey

    private init(kind: KeyKind, key: EVPKey) {
        self.kind = kind
        self.key = key
        bits = key.bits
    }

    /// Makes an RSA key of big-endian numbers.
    ///
    /// Modulus and exponent must be odd, the exponent above 1 and at most 64 bits, the modulus at most 16384 bits.
    package static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) -> VerificationKey {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let last = modulus.last, last & 1 == 1, modulus.count <= 2048, let low = exponent.last, low & 1 == 1,
            exponent != [1], exponent.count <= 8
        else { throw CryptoError(.invalidInput, "The RSA modulus or exponent is not one of a usable key.") }
        var parameters = ParameterList()
        parameters.add(.rsaN, bigEndian: modulus)
        parameters.add(.rsaE, bigEndian: exponent)
        return VerificationKey(kind: .rsa, key: try EVPKey.make("RSA", parameters, isPrivate: false))
    }

    /// Makes a key of a point, which must be on the curve and have coordinates of full length.
    package static func ec(_ curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(CryptoError) -> VerificationKey {
        guard x.count == curve.coordinateCount, y.count == curve.coordinateCount else {
            throw CryptoError(.invalidInput, "The coordinates do not have the length that \(curve.name) asks for.")
        }
        var parameters = ParameterList()
        parameters.add(.group, text: curve.name)
        parameters.add(.publicKey, bytes: [4] + x + y)  // libcrypto checks that the point is on the curve
        return VerificationKey(kind: .ec(curve), key: try EVPKey.make("EC", parameters, isPrivate: false))
    }

    /// Makes an Ed25519 key of its 32 bytes.
    package static func ed25519(_ bytes: [UInt8]) throws(CryptoError) -> VerificationKey {
        guard bytes.count == 32 else { throw CryptoError(.invalidInput, "An Ed25519 key has 32 bytes.") }
        var parameters = ParameterList()
        parameters.add(.publicKey, bytes: bytes)
        return VerificationKey(kind: .ed25519, key: try EVPKey.make("ED25519", parameters, isPrivate: false))
    }

    /// Checks a signature in JOSE's form; false also for a wrong length or an algorithm of another kind of key.
    ///
    /// Throws when libcrypto could not look at the signature at all, which says nothing about it.
    package func verify(
        signature: [UInt8],
        message: ArraySlice<UInt8>,
        algorithm: JWSAlgorithm
    ) throws(CryptoError) -> Bool {
        let scheme = algorithm.scheme
        guard scheme.fits(kind), let native = native(signature, scheme) else { return false }
        let context = try SignatureContext.make(key, scheme, signing: false)
        let isValid = context.verify(native, of: message)
        if !isValid { CryptoError.discardQueue() }
        return isValid
    }

    /// Whether both are one key object.
    func isSame(as other: VerificationKey) -> Bool { key === other.key }

    private func native(_ signature: [UInt8], _ scheme: SignatureScheme) -> [UInt8]? {
        switch scheme {
        // RFC 8017 §8.1.2 and §8.2.2 step 1: the signature is as long as the modulus.
        case .rsaPKCS1, .rsaPSS: signature.count == key.signatureCount ? signature : nil
        case .ecdsa(let curve, _): ECDSASignature.der(fromRaw: signature, on: curve)
        case .ed25519: signature.count == 64 ? signature : nil
        }
    }
}
