/// The claims of a token: the registered ones of RFC 7519 §4.1 checked for type, all read when they are asked for.
package struct JWTClaims: Sendable {
    private let index: JSONMembers

    /// Reads claims; `malformed_claims` when they are not a JSON object or a registered one has the wrong type.
    package init(payload: [UInt8]) throws(JWTError) {
        do throws(JSONError) {
            index = try JSONMembers(parsing: payload)
        } catch {
            throw .unreadable(.malformedClaims, "claims", error)
        }
        _ = try RegisteredClaims(index)
    }

    /// Takes over what `RegisteredClaims` has checked.
    init(checked index: JSONMembers) {
        self.index = index
    }

    /// Every claim as sent.
    package var object: JSONObject { index.object }

    /// Reads a claim.
    package subscript(name: String) -> JSONValue? { index[name] }

    /// Whether there is a claim of this name, `null` counted.
    package func has(_ name: String) -> Bool { index.has(name) }

    /// Reads a claim that must be a string where it is present; `malformed_claims` otherwise.
    package func string(_ name: String) throws(JWTError) -> String? {
        guard let member = index.find(JSONName(name)) else { return nil }
        guard let text = index.text(of: member) else { throw RegisteredClaims.wrongType(name, "a string") }
        return text
    }

    /// Reads a claim that must be a date where it is present; `malformed_claims` otherwise.
    package func date(_ name: String) throws(JWTError) -> WallTime? {
        guard let member = index.find(JSONName(name)) else { return nil }
        guard let date = date(member) else { throw RegisteredClaims.wrongType(name, RegisteredClaims.dateForm) }
        return date
    }

    /// The `iss`.
    package var issuer: String? { text(.issuer) }
    /// The `sub`.
    package var subject: String? { text(.subject) }
    /// The `exp`.
    package var expiresAt: WallTime? { index.find(.expiresAt).flatMap(date) }
    /// The `nbf`.
    package var notBefore: WallTime? { index.find(.notBefore).flatMap(date) }
    /// The `iat`.
    package var issuedAt: WallTime? { index.find(.issuedAt).flatMap(date) }
    /// The `aud` as a list; nil when absent.
    package var audience: [String]? {
        guard let value = index.find(.audience).map(index.value) else { return nil }
        return value.string.map { [$0] } ?? value.array?.compactMap(\.string)
    }

    private func text(_ name: JSONName) -> String? { index.find(name).flatMap(index.text) }

    private func date(_ member: JSONMember) -> WallTime? {
        NumericDate.read(member, in: index.bytes.span.extracting(index.range))
    }
}
