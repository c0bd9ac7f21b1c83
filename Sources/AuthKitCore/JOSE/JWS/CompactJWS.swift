/// A compact JWS, taken apart and decoded; nothing is checked beyond its form (RFC 7515 §7.1).
///
/// All three parts lie in one buffer; the members of the header, and later of the claims, in one index.
struct CompactJWS {
    /// Tokens beyond this are refused before anything else is looked at.
    static let byteLimit = 1 << 20
    /// Room for the members of usual tokens.
    private static let usualMemberCount = 24

    /// Header, payload and signature, decoded, one behind the other; what follows has no meaning.
    let bytes: [UInt8]
    let headerEnd: Int
    private let payloadEnd: Int
    private let signatureEnd: Int
    let headerCount: Int
    /// How many bytes the signature is over, from the token's start (RFC 7515 §5.2 step 8).
    let signingInputCount: Int
    private(set) var index: [JSONMember]

    /// Splits and decodes; `too_large` or `malformed`.
    init(_ token: String) throws(JWTError) {
        try self.init(token.utf8Span.span)
    }

    init(_ token: Span<UInt8>) throws(JWTError) {
        guard token.count <= Self.byteLimit else {
            throw JWTError(.tooLarge, "The token is larger than \(Self.byteLimit) bytes.")
        }
        let room = Base64URL.room(for: token.count)
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: room) { $0.append(repeating: 0, count: room) }
        var output = bytes.mutableSpan
        var end = 0
        guard let first = Base64URL.decode(token, from: 0, into: &output, at: &end), first < token.count else {
            throw Self.formError(token)
        }
        let headerEnd = end
        guard let second = Base64URL.decode(token, from: first &+ 1, into: &output, at: &end), second < token.count
        else { throw Self.formError(token) }
        payloadEnd = end
        guard Base64URL.decode(token, from: second &+ 1, into: &output, at: &end) == token.count else {
            throw Self.formError(token)
        }
        signatureEnd = end
        signingInputCount = second
        self.bytes = bytes
        self.headerEnd = headerEnd
        var members: [JSONMember] = []
        members.reserveCapacity(Self.usualMemberCount)
        var scanner = JSONScanner(members: members)
        members = []
        do throws(JSONError) {
            guard try scanner.scanDocument(bytes.span.extracting(0..<headerEnd)) == .object else {
                throw JSONError(.malformed, at: 0)
            }
        } catch {
            throw JWTError(.malformed, "The token's header is not a JSON object.", cause: error)
        }
        index = scanner.members
        headerCount = index.count
    }

    var payloadRange: Range<Int> { headerEnd..<payloadEnd }
    var signatureRange: Range<Int> { payloadEnd..<signatureEnd }

    /// Checks and indexes the claims; `malformed_claims` when they are not one JSON object.
    mutating func scanClaims() throws(JWTError) {
        var members: [JSONMember] = []
        swap(&members, &index)
        members.removeSubrange(headerCount...)
        var scanner = JSONScanner(members: members)
        members = []  // the scanner is then the only owner and need not copy
        defer { index = scanner.members }
        do throws(JSONError) {
            guard try scanner.scanDocument(bytes.span.extracting(payloadRange)) == .object else {
                throw JSONError(.malformed, at: 0)
            }
        } catch {
            throw JWTError(.malformedClaims, "The token's claims are not one JSON object.", cause: error)
        }
    }

    /// The header's members.
    var headerMembers: JSONMembers {
        JSONMembers(bytes: bytes, range: 0..<headerEnd, index: index, members: 0..<headerCount)
    }

    /// The claims, after `scanClaims`.
    var claimsMembers: JSONMembers {
        JSONMembers(bytes: bytes, range: payloadRange, index: index, members: headerCount..<index.count)
    }

    private static func formError(_ token: Span<UInt8>) -> JWTError {
        if token.count > 0, token[0] == UInt8(ascii: "{") {
            return JWTError(.malformed, "The token is in JSON serialization; only the compact form is accepted.")
        }
        var dots = 0
        for index in token.indices where token[index] == UInt8(ascii: ".") { dots += 1 }
        switch dots {
        case 2: return JWTError(.malformed, "A part of the token is not canonical base64url.")
        case 4: return JWTError(.malformed, "The token has five parts, so it is encrypted: decrypt it first.")
        default: return JWTError(.malformed, "A signed token has three parts with a dot between them.")
        }
    }
}
