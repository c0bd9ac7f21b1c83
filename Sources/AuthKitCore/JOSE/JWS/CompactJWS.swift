/// A compact JWS, taken apart and decoded; nothing is checked beyond its form (RFC 7515 §7.1).
struct CompactJWS {
    /// Tokens beyond this are refused before anything else is looked at.
    static let byteLimit = 1 << 20

    let header: JWSHeader
    let payload: [UInt8]
    let signature: [UInt8]
    private let bytes: [UInt8]
    private let signingInputCount: Int

    /// Splits and decodes; `too_large` or `malformed`.
    init(_ token: String) throws(JWTError) {
        guard token.utf8.count <= Self.byteLimit else {
            throw JWTError(.tooLarge, "The token is larger than \(Self.byteLimit) bytes.")
        }
        bytes = Array(token.utf8)
        let dot = UInt8(ascii: ".")
        guard let first = bytes.firstIndex(of: dot), let second = bytes[(first + 1)...].firstIndex(of: dot),
            !bytes[(second + 1)...].contains(dot)
        else { throw JWTError(.malformed, "A signed token has three parts with a dot between them.") }
        signingInputCount = second
        let headerBytes = try Self.decode(bytes[..<first])
        payload = try Self.decode(bytes[(first + 1)..<second])
        signature = try Self.decode(bytes[(second + 1)...])
        let members: JSONObject?
        do {
            members = try JSONValue(parsing: headerBytes).object
        } catch {
            throw JWTError(.malformed, "The token's header cannot be read.", cause: error)
        }
        guard let members else { throw JWTError(.malformed, "The token's header must be a JSON object.") }
        header = try JWSHeader(members)
    }

    /// What the signature is over: the first two parts as sent (RFC 7515 §5.2 step 8).
    var signingInput: ArraySlice<UInt8> { bytes[..<signingInputCount] }

    private static func decode(_ part: ArraySlice<UInt8>) throws(JWTError) -> [UInt8] {
        do {
            return try Base64URL.decode(bytes: part)
        } catch {
            throw JWTError(.malformed, "A part of the token is not canonical base64url.")
        }
    }
}
