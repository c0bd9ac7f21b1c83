/// The registered claims of RFC 7519 §4.1, read from an object; each only where its type is right.
struct JWTClaims {
    let object: JSONObject
    let issuer: String?
    let subject: String?
    let audience: [String]?
    let expiresAt: WallTime?
    let notBefore: WallTime?
    let issuedAt: WallTime?

    /// Reads claims; `malformed_claims` when they are not a JSON object or one has the wrong type.
    init(payload: [UInt8]) throws(JWTError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: payload)
        } catch {
            throw JWTError(.malformedClaims, "The token's claims cannot be read.", cause: error)
        }
        guard let object = value.object else {
            throw JWTError(.malformedClaims, "The token's claims must be a JSON object.")
        }
        self.object = object
        issuer = try Self.text("iss", of: object)
        subject = try Self.text("sub", of: object)
        _ = try Self.text("jti", of: object)
        audience = try Self.audience(of: object)
        expiresAt = try Self.date("exp", of: object)
        notBefore = try Self.date("nbf", of: object)
        issuedAt = try Self.date("iat", of: object)
    }

    private static func text(_ name: String, of object: JSONObject) throws(JWTError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string else { throw wrongType(name, "a string") }
        return text
    }

    /// RFC 7519 §4.1.3: a string or an array of strings.
    private static func audience(of object: JSONObject) throws(JWTError) -> [String]? {
        guard let value = object["aud"] else { return nil }
        if let one = value.string { return [one] }
        guard let elements = value.array, case let all = elements.compactMap(\.string), all.count == elements.count
        else { throw wrongType("aud", "a string or a list of strings") }
        return all
    }

    private static func date(_ name: String, of object: JSONObject) throws(JWTError) -> WallTime? {
        guard let value = object[name] else { return nil }
        guard let date = NumericDate.read(value) else { throw wrongType(name, "a number of seconds since 1970") }
        return date
    }

    private static func wrongType(_ name: String, _ wanted: String) -> JWTError {
        JWTError(.malformedClaims, "The token's \(name) must be \(wanted).")
    }
}
