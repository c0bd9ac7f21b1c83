/// A token that was taken apart and not checked: for showing it, and for hints about time.
///
/// Never for trust.
public struct UnverifiedJWT: Sendable {
    /// The header as sent.
    public let header: JWSHeader
    /// The payload as sent.
    public let payload: [UInt8]

    /// Takes a compact token apart; `malformed` or `too_large`.
    public init(decoding token: String) throws(JWTError) {
        let parts = try CompactJWS(token)
        header = parts.header
        payload = parts.payload
    }

    /// The claims, where the payload is a JSON object.
    public var claims: JSONObject? { (try? JSONValue(parsing: payload))?.object }

    /// The `exp` of a token that may be a JWT; nil for everything else.
    ///
    /// A hint for the timing of renewal of a token that we hold.
    package static func expiryHint(of token: Secret) -> WallTime? {
        guard let claims = (try? UnverifiedJWT(decoding: token.reveal()))?.claims else { return nil }
        return claims["exp"].flatMap(NumericDate.read)
    }
}
