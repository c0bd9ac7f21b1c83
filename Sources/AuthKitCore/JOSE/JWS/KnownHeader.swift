/// The header of a token that a verifier believed: one with the same bytes need not be decoded and checked again.
///
/// Everything that a header alone decides was decided for this one, by the same policy: its form, algorithm, `crit` and
/// `typ`. Key, signature and claims are each token's own.
final class KnownHeader: Sendable {
    /// The header as it stands in the token, in base64url.
    let encoded: [UInt8]
    let members: JSONMembers
    let fields: HeaderFields
    let algorithm: JWSAlgorithm
    /// The `kid` without escapes.
    private let keyID: [UInt8]?
    /// The mark of the `kid`.
    private let keyMark: UInt64

    init(encoded: [UInt8], members: JSONMembers, fields: HeaderFields, algorithm: JWSAlgorithm) {
        self.encoded = encoded
        self.members = members
        self.fields = fields
        self.algorithm = algorithm
        keyID = fields.keyID.member(of: members.index.span)?.textBytes(in: members.bytes.span)
        keyMark = keyID.map { JWKSet.mark($0.span) } ?? 0
    }

    /// The keys that the token may have been signed with.
    func candidates(among keys: JWKSet) throws(JWTError) -> JWKSet.Candidates {
        guard let keyID else { return try keys.candidates(for: algorithm, keyID: nil) }
        return try keys.candidates(for: algorithm, keyID: keyID.span, mark: keyMark)
    }

    /// Whether a token begins with this header and a dot.
    func begins(_ token: Span<UInt8>) -> Bool {
        let encoded = encoded
        let count = encoded.count
        guard count < token.count, token[count] == UInt8(ascii: ".") else { return false }
        return encoded.span.isEqual(to: token.extracting(0..<count))
    }
}
