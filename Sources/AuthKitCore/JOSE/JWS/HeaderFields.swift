/// The members of a header that decide something, found in one pass and checked for type.
struct HeaderFields {
    let algorithm: JSONMember
    private(set) var keyID: JSONMember?
    private(set) var type: JSONMember?
    private let critical: JSONMember?
    private let hasBase64: Bool

    /// Finds the fields; `malformed` when one has the wrong type.
    init(_ members: Span<JSONMember>) throws(JWTError) {
        var (algorithm, critical): (JSONMember?, JSONMember?)
        var hasBase64 = false
        for position in members.indices where members[position].nameCount <= 4 {
            let member = members[position]
            switch (member.prefix, member.nameCount) {
            case (JSONName.algorithm.prefix, 3): algorithm = member
            case (JSONName.keyID.prefix, 3): keyID = try Self.text(member, "kid")
            case (JSONName.type.prefix, 3): type = try Self.text(member, "typ")
            case (JSONName.contentType.prefix, 3): _ = try Self.text(member, "cty")
            case (JSONName.base64.prefix, 3): hasBase64 = true
            case (JSONName.critical.prefix, 4): critical = member
            default: break
            }
        }
        // RFC 7515 §4.1.1: alg must be present.
        guard let algorithm, algorithm.kind == .string else {
            throw JWTError(.malformed, "The token's header must name an algorithm in alg.")
        }
        self.algorithm = algorithm
        self.critical = critical
        self.hasBase64 = hasBase64
    }

    /// Refuses extensions that must be understood, since none is (RFC 7515 §4.1.11, RFC 7797 §6).
    func refuseCriticalExtensions(in header: Span<UInt8>) throws(JWTError) {
        if let critical {
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

    private static func text(_ member: JSONMember, _ name: String) throws(JWTError) -> JSONMember {
        guard member.kind == .string else { throw JWTError(.malformed, "The token's \(name) must be a string.") }
        return member
    }
}
