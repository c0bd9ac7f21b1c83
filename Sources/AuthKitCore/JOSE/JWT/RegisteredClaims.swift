/// The registered claims of RFC 7519 §4.1, found in one pass; each only where its type is right.
struct RegisteredClaims {
    static let dateForm = "a number of seconds since 1970"

    /// The positions of `iss` and `aud` among the members.
    private(set) var issuer: Int?
    private(set) var audience: Int?
    /// Dates as attoseconds since 1970.
    private(set) var expiresAt: Int128?
    private(set) var notBefore: Int128?
    private(set) var issuedAt: Int128?

    /// Finds the claims; `malformed_claims` when one has the wrong type.
    init(_ members: Span<JSONMember>, in bytes: Span<UInt8>) throws(JWTError) {
        for position in members.indices where members[position].nameCount == 3 {
            let kind = members[position].kind
            switch members[position].prefix {
            case JSONName.issuer.prefix:
                try Self.check(kind, "iss")
                issuer = position
            case JSONName.subject.prefix: try Self.check(kind, "sub")
            case JSONName.identifier.prefix: try Self.check(kind, "jti")
            case JSONName.expiresAt.prefix: expiresAt = try Self.date(members[position], "exp", bytes)
            case JSONName.notBefore.prefix: notBefore = try Self.date(members[position], "nbf", bytes)
            case JSONName.issuedAt.prefix: issuedAt = try Self.date(members[position], "iat", bytes)
            case JSONName.audience.prefix:
                // RFC 7519 §4.1.3: a string or an array of strings.
                guard kind == .string || members[position].isListOfTexts(with: bytes, in: bytes) != nil else {
                    throw Self.wrongType("aud", "a string or a list of strings")
                }
                audience = position
            default: break
            }
        }
    }

    init(_ index: JSONMembers) throws(JWTError) {
        try self.init(index.index.span.extracting(index.members), in: index.bytes.span.extracting(index.range))
    }

    @inline(__always)
    private static func check(_ kind: JSONMember.Kind, _ name: String) throws(JWTError) {
        guard kind == .string else { throw wrongType(name, "a string") }
    }

    @inline(__always)
    private static func date(_ member: JSONMember, _ name: String, _ bytes: Span<UInt8>) throws(JWTError) -> Int128 {
        guard let date = NumericDate.attoseconds(member, in: bytes) else { throw wrongType(name, dateForm) }
        return date
    }

    static func wrongType(_ name: String, _ wanted: String) -> JWTError {
        JWTError(.malformedClaims, "The token's \(name) must be \(wanted); its issuer must mend that.")
    }
}
