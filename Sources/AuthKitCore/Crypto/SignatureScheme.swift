/// How a signature is made, apart from its JOSE name.
package enum SignatureScheme: Sendable, Hashable {
    /// HMAC with SHA-2 (RFC 7518 §3.2).
    case hmac(MessageDigest)
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    case rsaPKCS1(MessageDigest)
    /// RSASSA-PSS with MGF1 of the same digest and a salt as long as the digest (RFC 7518 §3.5).
    case rsaPSS(MessageDigest)
    /// ECDSA, as r and s at full length (RFC 7518 §3.4).
    case ecdsa(EllipticCurve, MessageDigest)
    /// Ed25519 or Ed448, whichever the key is of (RFC 8037 §3.1).
    case edDSA
    /// Ed25519 (RFC 8032 §5.1).
    case ed25519
    /// Ed448 (RFC 8032 §5.2).
    case ed448

    /// The digest that is signed; nil for Ed25519 and Ed448, which digest by themselves.
    package var digest: MessageDigest? {
        switch self {
        case .hmac(let digest), .rsaPKCS1(let digest), .rsaPSS(let digest), .ecdsa(_, let digest): digest
        case .edDSA, .ed25519, .ed448: nil
        }
    }

    /// Whether the signature needs a key of this kind.
    package func fits(_ kind: KeyKind) -> Bool {
        switch (self, kind) {
        case (.hmac, .symmetric), (.rsaPKCS1, .rsa), (.rsaPSS, .rsa): true
        case (.edDSA, .ed25519), (.edDSA, .ed448), (.ed25519, .ed25519), (.ed448, .ed448): true
        case (.ecdsa(let curve, _), .ec(let keyCurve)): curve == keyCurve
        default: false
        }
    }
}
