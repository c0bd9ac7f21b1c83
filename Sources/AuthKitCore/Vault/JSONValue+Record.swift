extension JSONValue {
    /// Bytes as base64url text.
    static func base64(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

    /// The bytes of base64url text; nil for anything else.
    var base64: [UInt8]? { string.flatMap { try? Base64URL.decode($0) } }
}
