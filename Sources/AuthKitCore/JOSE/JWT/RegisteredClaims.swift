/// The registered claims of RFC 7519 §4.1, found in one pass; each only where its type is right.
struct RegisteredClaims {
    static let dateForm = "a number of seconds since 1970"

    private(set) var issuer: JSONMember?
    private(set) var audience: JSONMember?
    private(set) var expiresAt: WallTime?
    private(set) var notBefore: WallTime?
    private(set) var issuedAt: WallTime?

    /// Finds the claims; `malformed_claims` when one has the wrong type.
    init(_ members: Span<JSONMember>, in bytes: Span<UInt8>) throws(JWTError) {
        for position in members.indices where members[position].nameCount == 3 {
            let member = members[position]
            switch member.prefix {
            case JSONName.issuer.prefix:
                try Self.check(member, "iss")
                issuer = member
            case JSONName.subject.prefix: try Self.check(member, "sub")
            case JSONName.identifier.prefix: try Self.check(member, "jti")
            case JSONName.expiresAt.prefix: expiresAt = try Self.date(member, "exp", bytes)
            case JSONName.notBefore.prefix: notBefore = try Self.date(member, "nbf", bytes)
            case JSONName.issuedAt.prefix: issuedAt = try Self.date(member, "iat", bytes)
            case JSONName.audience.prefix:
                // RFC 7519 §4.1.3: a string or an array of strings.
                guard member.kind == .string || member.isListOfTexts(with: bytes, in: bytes) != nil else {
                    throw Self.wrongType("aud", "a string or a list of strings")
                }
                audience = member
            default: break
            }
        }
    }

    init(_ index: JSONMembers) throws(JWTError) {
        try self.init(index.index.span.extracting(index.members), in: index.bytes.span.extracting(index.range))
    }

    private static func check(_ member: JSONMember, _ name: String) throws(JWTError) {
        guard member.kind == .string else { throw wrongType(name, "a string") }
    }

    private static func date(_ member: JSONMember, _ name: String, _ bytes: Span<UInt8>) throws(JWTError) -> WallTime {
        guard let date = NumericDate.read(member, in: bytes) else { throw wrongType(name, dateForm) }
        return date
    }

    static func wrongType(_ name: String, _ wanted: String) -> JWTError {
        JWTError(.malformedClaims, "The token's \(name) must be \(wanted); its issuer must mend that.")
    }
}
