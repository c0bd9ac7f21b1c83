/// The curves of EC keys in JOSE (RFC 7518 §6.2.1.1, RFC 8812 §3.1).
package enum EllipticCurve: Sendable, Hashable {
    /// NIST P-256.
    case p256
    /// NIST P-384.
    case p384
    /// NIST P-521.
    case p521
    /// SEC 2 secp256k1, for ES256K alone.
    case secp256k1

    /// Finds a curve by the name that a JWK's `crv` has; exact.
    package init?(name: String) {
        switch name {
        case "P-256": self = .p256
        case "P-384": self = .p384
        case "P-521": self = .p521
        case "secp256k1": self = .secp256k1
        default: return nil
        }
    }

    /// The name in a JWK, which libcrypto knows too.
    package var name: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        case .secp256k1: "secp256k1"
        }
    }

    /// How many bytes a coordinate has, leading zeros included (RFC 7518 §6.2.1.2).
    package var coordinateCount: Int {
        switch self {
        case .p256, .secp256k1: 32
        case .p384: 48
        case .p521: 66
        }
    }
}
