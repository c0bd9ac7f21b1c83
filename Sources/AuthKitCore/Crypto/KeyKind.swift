/// What kind of signature key it is.
package enum KeyKind: Sendable, Hashable {
    /// RSA.
    case rsa
    /// A point on a curve.
    case ec(EllipticCurve)
    /// Ed25519.
    case ed25519
}
