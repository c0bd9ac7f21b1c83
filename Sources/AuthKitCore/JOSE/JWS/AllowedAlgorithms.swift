/// The algorithms that tokens may be signed with, found by the bytes of a header's `alg`.
struct AllowedAlgorithms: Sendable {
    private struct Name {
        let prefix: UInt64
        let count: Int
        let algorithm: JWSAlgorithm
    }

    private static let names = JWSAlgorithm.all.map { algorithm in
        let name = JSONName(algorithm.name)
        return Name(prefix: name.prefix, count: Int(name.count), algorithm: algorithm)
    }

    private let list: [JWSAlgorithm]

    /// Allows those of a list, and nothing where it is empty.
    init(_ list: [JWSAlgorithm]) {
        self.list = list
    }

    /// Finds the token's algorithm and makes sure that it is allowed (RFC 8725 §3.1).
    func algorithm(_ member: JSONMember?, in header: Span<UInt8>) throws(JWTError) -> JWSAlgorithm {
        guard let member else { throw .unsupported("algorithm", "") }
        guard let named = Self.find(member, in: header) else {
            let name = JSONText.string(header.extracting(member.textRange), isEscaped: member.isEscaped)
            throw .unsupported("algorithm", name)
        }
        guard let allowed = named.allowed(by: list) else {
            throw JWTError(
                .algorithmNotAllowed,
                "The token is signed with \(named), which is not allowed; allow it if it is meant."
            )
        }
        return allowed
    }

    private static func find(_ member: JSONMember, in header: Span<UInt8>) -> JWSAlgorithm? {
        let written = header.extracting(member.textRange)
        if member.isEscaped { return JWSAlgorithm(name: JSONText.string(written, isEscaped: true)) }
        // Names of algorithms have at most eight bytes, so that the prefix and the count are the whole name.
        let (prefix, count) = (JSONName.prefix(of: written), written.count)
        return names.first { $0.prefix == prefix && $0.count == count }?.algorithm
    }
}
