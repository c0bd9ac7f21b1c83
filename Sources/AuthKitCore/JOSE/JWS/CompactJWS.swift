/// A compact JWS, taken apart and decoded; nothing is checked beyond its form (RFC 7515 §7.1).
///
/// The parts lie in one buffer, the members of the header in an index; a header that is known is in neither.
struct CompactJWS: Sendable {
    /// Tokens beyond this are refused before anything else is looked at.
    static let byteLimit = 1 << 20
    /// Room for the members of usual headers and claims.
    private static let usualCounts = (header: 8, claims: 24)

    /// Header, payload and signature, decoded, one behind the other; what follows has no meaning.
    let bytes: [UInt8]
    private let header: Header
    private let ends: Ends

    private enum Header {
        /// The members of a header that is in the bytes.
        case read([JSONMember])
        case known(KnownHeader)
    }

    /// Where the parts end in the bytes.
    private struct Ends {
        var header = 0
        var payload = 0
        var signature = 0
        /// Where the first and the second dot of the token are.
        var dots = (0, 0)
    }

    /// Splits and decodes; `too_large` or `malformed`.
    init(_ token: String) throws(JWTError) {
        try self.init(token.utf8Span.span, header: nil)
    }

    /// Splits and decodes what is not known; `too_large` or `malformed`.
    init(_ token: Span<UInt8>, header known: consuming KnownHeader?) throws(JWTError) {
        guard token.count <= Self.byteLimit else {
            throw JWTError(.tooLarge, "The token is larger than \(Self.byteLimit) bytes.")
        }
        let room = Base64URL.room(for: token.count)
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: room) { $0.append(repeating: 0, count: room) }
        var ends = Ends()
        guard Self.decode(token, known?.encoded.count, into: &bytes, &ends) else { throw Self.formError(token) }
        if let known {
            header = .known(known)
        } else {
            do throws(JSONError) {
                let span = bytes.span.extracting(0..<ends.header)
                header = .read(try Self.scan(span, count: Self.usualCounts.header))
            } catch {
                throw .unreadable(.malformed, "header", error)
            }
        }
        self.bytes = bytes
        self.ends = ends
    }

    /// Decodes the parts, from the second one on where it is told where the first one ends.
    @inline(__always)
    private static func decode(
        _ token: Span<UInt8>,
        _ known: Int?,
        into bytes: inout [UInt8],
        _ ends: inout Ends
    ) -> Bool {
        var output = bytes.mutableSpan
        var (first, end) = (known ?? 0, 0)
        if known == nil {
            guard let dot = Base64URL.decode(token, from: 0, into: &output, at: &end), dot < token.count else {
                return false
            }
            first = dot
        }
        ends.header = end
        guard let second = Base64URL.decode(token, from: first &+ 1, into: &output, at: &end), second < token.count
        else { return false }
        ends.payload = end
        guard Base64URL.decode(token, from: second &+ 1, into: &output, at: &end) == token.count else { return false }
        ends.signature = end
        ends.dots = (first, second)
        return true
    }

    /// The members of the header, none when it is known.
    var index: [JSONMember] {
        if case .read(let index) = header { index } else { [] }
    }
    /// Whether the token's header was known before.
    var isKnown: Bool {
        if case .known = header { true } else { false }
    }
    /// The token's header, where it was known before.
    var known: KnownHeader? {
        if case .known(let known) = header { known } else { nil }
    }
    /// Where the header ends in the bytes; 0 when it is known.
    var headerEnd: Int { ends.header }
    var payloadRange: Range<Int> { ends.header..<ends.payload }
    var signatureRange: Range<Int> { ends.payload..<ends.signature }
    /// How many bytes of the token are its header in base64url.
    var encodedHeaderCount: Int { ends.dots.0 }
    /// How many bytes the signature is over, from the token's start (RFC 7515 §5.2 step 8).
    var signingInputCount: Int { ends.dots.1 }

    /// Checks and indexes the claims; `malformed_claims` when they are not one JSON object.
    func scanClaims() throws(JWTError) -> [JSONMember] {
        do throws(JSONError) {
            return try Self.scan(bytes.span.extracting(payloadRange), count: Self.usualCounts.claims)
        } catch {
            throw .unreadable(.malformedClaims, "claims", error)
        }
    }

    private static func scan(_ bytes: Span<UInt8>, count: Int) throws(JSONError) -> [JSONMember] {
        var scanner = JSONScanner()
        guard let members = try scanner.scanDocument(bytes, room: count) else { throw JSONError(.malformed, at: 0) }
        return members
    }

    /// The header's members.
    var headerMembers: JSONMembers {
        switch header {
        case .known(let known): known.members
        case .read(let index): JSONMembers(bytes: bytes, range: 0..<headerEnd, index: index, members: index.indices)
        }
    }

    /// The claims, which `scanClaims` has found.
    func claimsMembers(_ claims: [JSONMember]) -> JSONMembers {
        JSONMembers(bytes: bytes, range: payloadRange, index: claims, members: claims.indices)
    }

    /// The payload as sent.
    var payload: [UInt8] { bytes.span.extracting(payloadRange).array() }

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
