/// What a header says of a key agreement: the parties (RFC 7518 §4.6.1.2, §4.6.1.3).
struct AgreementParties {
    /// More bytes than this name nobody.
    static let byteLimit = 1024

    let partyU: [UInt8]
    let partyV: [UInt8]

    /// Reads `apu` and `apv`; `malformed` when one is not canonical base64url or too long.
    init(_ member: (String) -> JSONValue?) throws(JWTError) {
        partyU = try Self.bytes("apu", member("apu"))
        partyV = try Self.bytes("apv", member("apv"))
    }

    private static func bytes(_ name: String, _ value: JSONValue?) throws(JWTError) -> [UInt8] {
        guard let value else { return [] }
        guard let text = value.string, text.utf8.count <= 2 * byteLimit, let bytes = try? Base64URL.decode(text),
            bytes.count <= byteLimit
        else {
            throw JWTError(.malformed, "The token's \(name) must be canonical base64url of up to \(byteLimit) bytes.")
        }
        return bytes
    }
}
