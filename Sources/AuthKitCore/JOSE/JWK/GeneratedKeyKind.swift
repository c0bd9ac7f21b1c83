/// What kind of key is to be generated.
public struct GeneratedKeyKind: Sendable, Hashable {
    enum Raw: Hashable {
        case rsa(bits: Int)
        case ec(EllipticCurve)
        case octets(KeyKind)
        case symmetric(byteCount: Int)
    }

    let raw: Raw

    /// RSA of a size in bits, from 2048 to 8192.
    public static func rsa(bits: Int = 2048) -> Self { Self(raw: .rsa(bits: bits)) }
    /// EC on P-256.
    public static let p256 = Self(raw: .ec(.p256))
    /// EC on P-384.
    public static let p384 = Self(raw: .ec(.p384))
    /// EC on P-521.
    public static let p521 = Self(raw: .ec(.p521))
    /// EC on secp256k1.
    public static let secp256k1 = Self(raw: .ec(.secp256k1))
    /// Ed25519.
    public static let ed25519 = Self(raw: .octets(.ed25519))
    /// Ed448.
    public static let ed448 = Self(raw: .octets(.ed448))
    /// X25519.
    public static let x25519 = Self(raw: .octets(.x25519))
    /// A symmetric key of so many random bytes, from 16 to 1024.
    public static func symmetric(byteCount: Int = 32) -> Self { Self(raw: .symmetric(byteCount: byteCount)) }

    /// What an algorithm of signatures needs: the smallest that it may be used with.
    public static func fit(for algorithm: JWSAlgorithm) -> Self {
        switch algorithm.scheme {
        case .hmac(let digest): .symmetric(byteCount: digest.byteCount)
        case .rsaPKCS1, .rsaPSS: .rsa()
        case .ecdsa(let curve, _): Self(raw: .ec(curve))
        case .edDSA, .ed25519: .ed25519
        case .ed448: .ed448
        }
    }
}

extension PrivateJWK {
    /// Generates a key from libcrypto's randomness; `malformed` for a size outside what the kind takes.
    public static func generate(
        _ kind: GeneratedKeyKind,
        keyID: String? = nil,
        algorithmName: String? = nil,
        use: String? = nil
    ) throws(JWTError) -> PrivateJWK {
        do {
            let (material, own) = try make(kind)
            var members = own
            members["kid"] = keyID.map(JSONValue.string)
            members["alg"] = algorithmName.map(JSONValue.string)
            members["use"] = use.map(JSONValue.string)
            return PrivateJWK(publicKey: try JWK(members), material: material)
        } catch let error as JWTError {
            throw error
        } catch {
            throw JWTError(.malformed, "The key cannot be generated: \(error)", cause: error)
        }
    }

    private static func make(_ kind: GeneratedKeyKind) throws -> (Material, JSONObject) {
        let key: EVPKey
        switch kind.raw {
        case .rsa(let bits):
            guard (2048...8192).contains(bits), bits % 8 == 0 else {
                throw JWTError(.malformed, "Ask for an RSA key of 2048 to 8192 bits.")
            }
            key = try EVPKey.generate("RSA", rsaBits: Int32(bits))
        case .ec(let curve): key = try EVPKey.generate("EC", group: curve.name)
        case .octets(let pair): key = try EVPKey.generate(pair.libraryName ?? "")
        case .symmetric(let count):
            guard (16...1024).contains(count) else {
                throw JWTError(.malformed, "Ask for a symmetric key of 16 to 1024 bytes.")
            }
            let symmetric = SymmetricKey(try SecretBytes.random(count: count))
            return (.symmetric(symmetric), ["kty": "oct", "k": .string(symmetric.base64URL)])
        }
        return (.pair(key), try key.publicMembers())
    }
}
