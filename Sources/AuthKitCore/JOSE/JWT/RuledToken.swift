/// A token as rules see it: its claims read by name and type, with the error of what is not there.
struct RuledToken {
    let header: JWSHeader
    let claims: JWTClaims
    /// What kind of key its signature is valid under.
    let key: KeyKind
    let now: WallTime
    let clockSkew: Duration

    /// A claim as sent; nil also for `null`.
    func value(_ name: String) -> JSONValue? {
        guard let value = claims[name], !value.isNull else { return nil }
        return value
    }

    /// Whether there is such a claim, `null` counted.
    func has(_ name: String) -> Bool { claims.has(name) }

    /// A claim that must be there; `missing_claim`.
    func required(_ name: String) throws(JWTError) -> JSONValue {
        guard let value = value(name) else {
            throw JWTError(.missingClaim, "The token must have the claim \(name).")
        }
        return value
    }

    /// A claim that must be a text with something in it; `missing_claim` or `malformed_claims`.
    func text(_ name: String) throws(JWTError) -> String {
        guard let text = try required(name).string, !text.isEmpty else {
            throw JWTError(.malformedClaims, "The token's \(name) must be a string that is not empty.")
        }
        return text
    }

    /// A claim that must be a date; `missing_claim` or `malformed_claims`.
    func date(_ name: String) throws(JWTError) -> WallTime {
        guard let date = NumericDate.read(try required(name)) else {
            throw JWTError(.malformedClaims, "The token's \(name) must be a number of seconds since 1970.")
        }
        return date
    }
}
