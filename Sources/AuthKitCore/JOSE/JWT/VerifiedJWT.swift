/// A token whose signature and claims were checked; only `JWTVerifier` makes one.
public struct VerifiedJWT: Sendable {
    /// The header.
    public let header: JWSHeader
    /// The algorithm of the signature.
    public let algorithm: JWSAlgorithm
    /// The key that the signature is valid under.
    public let key: JWK
    /// The payload as sent.
    public let payload: [UInt8]
    private let registered: JWTClaims

    init(header: JWSHeader, algorithm: JWSAlgorithm, key: JWK, payload: [UInt8], claims: JWTClaims) {
        self.header = header
        self.algorithm = algorithm
        self.key = key
        self.payload = payload
        registered = claims
    }

    /// All claims.
    public var claims: JSONObject { registered.object }
    /// The `iss`.
    public var issuer: String? { registered.issuer }
    /// The `sub`.
    public var subject: String? { registered.subject }
    /// The `aud` as a list, empty when absent.
    public var audience: [String] { registered.audience ?? [] }
    /// The `exp`.
    public var expiresAt: WallTime? { registered.expiresAt }
    /// The `nbf`.
    public var notBefore: WallTime? { registered.notBefore }
    /// The `iat`.
    public var issuedAt: WallTime? { registered.issuedAt }

    /// Reads a claim that must be a string where it is present; `malformed_claims` otherwise.
    public func string(_ name: String) throws(JWTError) -> String? {
        guard let value = claims[name] else { return nil }
        guard let text = value.string else {
            throw JWTError(.malformedClaims, "The token's \(name) must be a string.")
        }
        return text
    }

    /// Reads a claim that must be a date where it is present; `malformed_claims` otherwise.
    public func date(_ name: String) throws(JWTError) -> WallTime? {
        guard let value = claims[name] else { return nil }
        guard let date = NumericDate.read(value) else {
            throw JWTError(.malformedClaims, "The token's \(name) must be a number of seconds since 1970.")
        }
        return date
    }
}
