/// What a verified DPoP proof says; only `DPoPProofVerifier` makes one.
public struct DPoPProof: Sendable {
    /// The proof as a token.
    public let token: VerifiedJWT
    /// The `jti`: a proof with one that was seen before is a replay (RFC 9449 §11.1).
    public let identifier: String
    /// The `iat`.
    public let issuedAt: WallTime

    init(_ token: VerifiedJWT) throws(JWTError) {
        guard let identifier = try token.string("jti"), let issuedAt = token.issuedAt else {
            throw JWTError(.missingClaim, "The proof must have the claims jti and iat.")
        }
        self.token = token
        self.identifier = identifier
        self.issuedAt = issuedAt
    }

    /// The SHA-256 thumbprint of the key, as tokens bound to it have it in `cnf.jkt` (RFC 9449 §6.1).
    public var thumbprint: String { token.key.thumbprint }
}
