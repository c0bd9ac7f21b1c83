/// How the development issuer signs ID tokens and JWT access tokens.
public enum DevSigningAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSA with SHA-256, 2048 bits.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
}
