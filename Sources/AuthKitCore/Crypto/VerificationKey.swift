/// A public or symmetric key that checks signatures; immutable, shared by any number of threads.
package final class VerificationKey: Sendable {
    private enum Material {
        case asymmetric(EVPKey)
        case symmetric(SymmetricKey)
    }

    /// Contexts that nobody uses at the moment.
    private struct Pool {
        /// More than this are not kept for one key.
        private static let limit = 16

        private var contexts: [VerificationContext] = []

        mutating func take(_ scheme: SignatureScheme) -> VerificationContext? {
            contexts.lastIndex { $0.scheme == scheme }.map { contexts.remove(at: $0) }
        }

        mutating func put(_ context: VerificationContext) {
            // The oldest goes, so that a scheme that is asked for now is kept whatever was asked for before.
            if contexts.count == Self.limit { contexts.removeFirst() }
            contexts.append(context)
        }
    }

    /// What kind of key it is.
    package let kind: KeyKind
    /// The modulus size for RSA, the group's for curves, that of the bytes for symmetric keys.
    package let bits: Int
    private let material: Material
    /// The context of the first scheme that was asked for, locked while it checks.
    private let first = Guarded<VerificationContext?>(nil)
    /// Those of other schemes, and of callers who come while the first one is in use.
    private let pool = Guarded(Pool())

    init(kind: KeyKind, key: EVPKey) {
        self.kind = kind
        material = .asymmetric(key)
        bits = key.bits
    }

    /// Takes a symmetric key.
    package init(_ key: SymmetricKey) {
        kind = .symmetric
        material = .symmetric(key)
        bits = key.count * 8
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

    /// Makes the key of an octet key pair (RFC 8037 §2) of its bytes; points of small order are refused for EdDSA.
    package static func octets(_ kind: KeyKind, _ bytes: [UInt8]) throws(CryptoError) -> VerificationKey {
        guard let pair = kind.octetKeyPair, let name = kind.libraryName, bytes.count == pair.publicCount else {
            throw CryptoError(.invalidInput, "The key does not have the length that its curve asks for.")
        }
        guard EdwardsPoint.isUsable(bytes, kind) else {
            throw CryptoError(.invalidInput, "The key is a point that anybody can sign for; ask for another key.")
        }
        var parameters = ParameterList()
        parameters.add(.publicKey, bytes: bytes)
        return VerificationKey(kind: kind, key: try EVPKey.make(name, parameters, isPrivate: false))
    }

    /// The key in libcrypto's hands; nil for a symmetric one.
    var evp: EVPKey? {
        guard case .asymmetric(let key) = material else { return nil }
        return key
    }

    /// The bytes of a symmetric key; nil for others.
    var symmetric: SymmetricKey? {
        guard case .symmetric(let key) = material else { return nil }
        return key
    }

    /// Whether both are one key object.
    func isSame(as other: VerificationKey) -> Bool { self === other }

    /// Whether it is too short to be believed with an algorithm.
    ///
    /// RSA below 2048 bits (RFC 7518 §3.3); for HMAC fewer bytes than the hash has (RFC 7518 §3.2).
    func isTooShort(for scheme: SignatureScheme) -> Bool {
        switch (scheme, kind) {
        case (.hmac(let digest), .symmetric): bits < 8 * digest.byteCount
        case (_, .rsa): bits < 2048
        default: false
        }
    }
}

// MARK: - Checking

extension VerificationKey {
    /// Checks a signature in JOSE's form; false also for a wrong length or an algorithm of another kind of key.
    ///
    /// Throws when libcrypto could not look at the signature at all, which says nothing about it.
    package func verify(
        signature: Span<UInt8>,
        message: Span<UInt8>,
        algorithm: JWSAlgorithm
    ) throws(CryptoError) -> Bool {
        let scheme = algorithm.scheme
        guard scheme.fits(kind) else { return false }
        switch scheme {
        case .rsaPKCS1, .rsaPSS:
            // RFC 8017 §8.1.2 and §8.2.2 step 1: the signature is as long as the modulus.
            guard signature.count == (bits + 7) / 8 else { return false }
            return try check(signature, message, scheme)
        case .ecdsa(let curve, _):
            guard let der = ECDSASignature.der(fromRaw: signature, on: curve) else { return false }
            return try check(der.bytes.span.extracting(first: der.count), message, scheme)
        case .edDSA, .ed25519, .ed448:
            // RFC 8032 §5.1.6 and §5.2.6: twice the length of the public key.
            guard signature.count == 2 * (kind.octetKeyPair?.publicCount ?? 0) else { return false }
            return try check(signature, message, scheme)
        case .hmac:
            return try check(signature, message, scheme)
        }
    }

    private func check(
        _ signature: Span<UInt8>,
        _ message: Span<UInt8>,
        _ scheme: SignatureScheme
    ) throws(CryptoError) -> Bool {
        let isValid: Bool
        if let answer = try checkFirst(signature, message, scheme) {
            isValid = answer
        } else {
            isValid = try checkPooled(signature, message, scheme)
        }
        if !isValid { CryptoError.discardQueue() }
        return isValid
    }

    /// Checks with the first context: one lock, which is never waited for; nil when it is in use, or for another scheme.
    @inline(__always)
    private func checkFirst(
        _ signature: Span<UInt8>,
        _ message: Span<UInt8>,
        _ wanted: SignatureScheme
    ) throws(CryptoError) -> Bool? {
        let answer = try first.withLockIfAvailable { first throws(CryptoError) -> Bool? in
            if let scheme = first?.scheme, scheme != wanted { return nil }
            // One that fails to look at a signature is not used again.
            let context: VerificationContext
            if let kept = first.take() { context = kept } else { context = try makeContext(wanted) }
            let isValid = try context.isValid(signature, of: message)
            first = context
            return isValid
        }
        return answer ?? nil
    }

    @inline(never)
    private func checkPooled(
        _ signature: Span<UInt8>,
        _ message: Span<UInt8>,
        _ scheme: SignatureScheme
    ) throws(CryptoError) -> Bool {
        let context: VerificationContext
        if let kept = pool.withLock({ $0.take(scheme) }) { context = kept } else { context = try makeContext(scheme) }
        let isValid = try context.isValid(signature, of: message)
        pool.withLock { $0.put(context) }
        return isValid
    }

    @inline(never)
    private func makeContext(_ scheme: SignatureScheme) throws(CryptoError) -> VerificationContext {
        switch material {
        case .asymmetric(let key): try VerificationContext.make(scheme, key: key)
        case .symmetric(let key): try VerificationContext.make(scheme, key: key)
        }
    }
}
