/// A token whose signature and claims were checked; only `JWTVerifier` makes one.
public struct VerifiedJWT: Sendable {
    /// The header.
    public let header: JWSHeader
    /// The algorithm of the signature.
    public let algorithm: JWSAlgorithm
    /// The key that the signature is valid under.
    public let key: JWK
    /// The claims, read when they are asked for.
    package let index: JWTClaims
    private let bytes: [UInt8]
    private let payloadRange: Range<Int>

    init(header: JWSHeader, algorithm: JWSAlgorithm, key: JWK, parts: borrowing CompactJWS, claims: JWTClaims) {
        self.header = header
        self.algorithm = algorithm
        self.key = key
        bytes = parts.bytes
        payloadRange = parts.payloadRange
        index = claims
    }

    /// The payload as sent.
    public var payload: [UInt8] { bytes.span.extracting(payloadRange).array() }
    /// All claims.
    public var claims: JSONObject { index.object }
    /// The `iss`.
    public var issuer: String? { index.issuer }
    /// The `sub`.
    public var subject: String? { index.subject }
    /// The `aud` as a list, empty when absent.
    public var audience: [String] { index.audience ?? [] }
    /// The `exp`.
    public var expiresAt: WallTime? { index.expiresAt }
    /// The `nbf`.
    public var notBefore: WallTime? { index.notBefore }
    /// The `iat`.
    public var issuedAt: WallTime? { index.issuedAt }

    /// Reads a claim that must be a string where it is present; `malformed_claims` otherwise.
    public func string(_ name: String) throws(JWTError) -> String? { try index.string(name) }

    /// Reads a claim that must be a date where it is present; `malformed_claims` otherwise.
    public func date(_ name: String) throws(JWTError) -> WallTime? { try index.date(name) }
}

extension VerifiedJWT: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the type; nothing of the token, which may be a secret.
    public var description: String { "VerifiedJWT(<redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
