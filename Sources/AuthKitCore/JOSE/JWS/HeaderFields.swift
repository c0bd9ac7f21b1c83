/// The members of a header that decide something, found in one pass and checked for type.
struct HeaderFields: Sendable {
    /// The position of a member, if there is one; small, since it is copied for each token.
    struct Position {
        fileprivate(set) var value: Int32 = -1

        /// Reads the member.
        @inline(__always)
        func member(of members: Span<JSONMember>) -> JSONMember? { value < 0 ? nil : members[Int(value)] }
    }

    private(set) var algorithm = Position()
    private(set) var keyID = Position()
    private(set) var type = Position()
    private var critical = Position()
    private var hasBase64 = false

    /// Finds the fields; `malformed` when one has the wrong type.
    init(_ members: Span<JSONMember>) throws(JWTError) {
        for position in members.indices where members[position].nameCount <= 4 {
            let here = Position(value: Int32(truncatingIfNeeded: position))
            let (kind, name) = (members[position].kind, members[position].prefix)
            switch (name, members[position].nameCount) {
            case (JSONName.algorithm.prefix, 3): algorithm = here
            case (JSONName.keyID.prefix, 3):
                try Self.check(kind, "kid")
                keyID = here
            case (JSONName.type.prefix, 3):
                try Self.check(kind, "typ")
                type = here
            case (JSONName.contentType.prefix, 3): try Self.check(kind, "cty")
            case (JSONName.base64.prefix, 3): hasBase64 = true
            case (JSONName.critical.prefix, 4): critical = here
            default: break
            }
        }
        // RFC 7515 §4.1.1: alg must be present.
        guard algorithm.member(of: members)?.kind == .string else {
            throw JWTError(.malformed, "The token's header must name an algorithm in alg.")
        }
    }

    /// Refuses extensions that must be understood, since none is (RFC 7515 §4.1.11, RFC 7797 §6).
    func refuseCriticalExtensions(_ members: Span<JSONMember>, in header: Span<UInt8>) throws(JWTError) {
        if let critical = critical.member(of: members) {
            let value = JSONReader.value(checked: header.extracting(critical.range))
            guard let names = value.array?.compactMap(\.string), !names.isEmpty, names.count == value.array?.count,
                Set(names.map { Array($0.utf8) }).count == names.count
            else { throw JWTError(.malformed, "The token's crit must be a list of distinct names.") }
            throw JWTError(.unsupportedCritical, "The token asks for extensions in crit that are not supported here.")
        }
        // RFC 7797 §6: b64 must come with crit; without it other readers would read another payload.
        guard !hasBase64 else {
            throw JWTError(.unsupportedCritical, "The token uses b64, which is not supported here.")
        }
    }

    private static func check(_ kind: JSONMember.Kind, _ name: String) throws(JWTError) {
        guard kind == .string else { throw JWTError(.malformed, "The token's \(name) must be a string.") }
    }
}
