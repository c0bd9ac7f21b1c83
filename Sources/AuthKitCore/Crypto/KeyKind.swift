/// What kind of key it is.
package enum KeyKind: Sendable, Hashable {
    /// RSA.
    case rsa
    /// A point on a curve.
    case ec(EllipticCurve)
    /// Ed25519.
    case ed25519
    /// Ed448.
    case ed448
    /// X25519: for key agreement, never for signatures.
    case x25519
    /// Bytes that both sides know.
    case symmetric

    /// The name of an octet key pair's curve (RFC 8037 §2), and the bytes that each half has.
    var octetKeyPair: (curve: String, publicCount: Int, privateCount: Int)? {
        switch self {
        case .ed25519: ("Ed25519", 32, 32)
        case .ed448: ("Ed448", 57, 57)
        case .x25519: ("X25519", 32, 32)
        default: nil
        }
    }

    /// The octet key pairs there are.
    static let octetKeyPairs: [KeyKind] = [.ed25519, .ed448, .x25519]

    /// The name by which libcrypto knows keys of this kind; nil for symmetric ones, which it does not keep.
    var libraryName: String? {
        switch self {
        case .rsa: "RSA"
        case .ec: "EC"
        case .ed25519: "ED25519"
        case .ed448: "ED448"
        case .x25519: "X25519"
        case .symmetric: nil
        }
    }
}
