/// A token that was taken apart and not checked: for showing it, and for hints about time.
///
/// Never for trust.
public struct UnverifiedJWT: Sendable {
    private let parts: CompactJWS
    /// The index of the claims, where the payload is a JSON object; else it is shown as bytes.
    private let claimsIndex: [JSONMember]?

    /// Takes a compact token apart; `malformed` or `too_large`.
    public init(decoding token: String) throws(JWTError) {
        let parts = try CompactJWS(token)
        _ = try HeaderFields(parts.index.span)
        self.parts = parts
        claimsIndex = try? parts.scanClaims()
    }

    /// The header as sent.
    public var header: JWSHeader { JWSHeader(checked: parts.headerMembers) }
    /// The claims, checked and indexed, where the payload is a JSON object.
    package var index: JSONMembers? { claimsIndex.map(parts.claimsMembers) }
    /// The payload as sent.
    public var payload: [UInt8] { parts.payload }

    /// The claims, where the payload is a JSON object.
    public var claims: JSONObject? { index?.object }

    /// Why there are no claims; nil where there are.
    package var claimsError: JWTError? {
        guard claimsIndex == nil else { return nil }
        do throws(JWTError) { _ = try parts.scanClaims() } catch { return error }
        return nil
    }

    /// The `exp` of a token that may be a JWT; nil for everything else.
    ///
    /// A hint for the timing of renewal of a token that we hold.
    package static func expiryHint(of token: Secret) -> WallTime? {
        guard let claims = (try? UnverifiedJWT(decoding: token.reveal()))?.index else { return nil }
        return claims["exp"].flatMap(NumericDate.read)
    }
}

extension UnverifiedJWT: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the type; nothing of the token, which may be a secret.
    public var description: String { "UnverifiedJWT(<redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
