/// A token whose signature and claims were checked; only `JWTVerifier` makes one.
public struct VerifiedJWT: Sendable {
    /// The algorithm of the signature.
    public var algorithm: JWSAlgorithm { token.algorithm }
    /// The key that the signature is valid under.
    public let key: JWK
    private let token: PreparedJWS
    private let claimsIndex: [JSONMember]

    init(_ token: consuming PreparedJWS, claims: consuming [JSONMember], key: consuming JWK) {
        self.token = token
        claimsIndex = claims
        self.key = key
    }

    /// The header.
    public var header: JWSHeader { JWSHeader(checked: token.parts.headerMembers) }
    /// The claims, read when they are asked for.
    package var index: JWTClaims { JWTClaims(checked: token.parts.claimsMembers(claimsIndex)) }
    /// The payload as sent.
    public var payload: [UInt8] { token.parts.payload }
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
