/// A member name, prepared for comparison with the names that `JSONScanner` finds.
///
/// Names of up to eight bytes are compared as one number.
package struct JSONName: Sendable {
    /// The first eight bytes, the first one lowest; zeros behind a shorter name.
    let prefix: UInt64
    /// How many bytes the name has.
    let count: UInt32
    /// All bytes, where the prefix does not hold them all.
    let long: [UInt8]

    /// Prepares a name.
    package init(_ name: String) {
        let bytes = name.utf8Span.span
        prefix = Self.prefix(of: bytes)
        count = UInt32(truncatingIfNeeded: bytes.count)
        long = bytes.count > 8 ? Array(name.utf8) : []
    }

    /// Prepares a name of three or four ASCII characters, at compile time.
    @inline(__always)
    private init(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ c: Unicode.Scalar, _ d: Unicode.Scalar = "\0") {
        prefix = UInt64(a.value) | UInt64(b.value) << 8 | UInt64(c.value) << 16 | UInt64(d.value) << 24
        count = d == "\0" ? 3 : 4
        long = []
    }

    static func prefix(of bytes: Span<UInt8>) -> UInt64 {
        if bytes.count >= 8 { return bytes.word(at: 0) }
        var prefix: UInt64 = 0
        for index in bytes.indices { prefix |= UInt64(bytes[index]) << UInt64(8 * index) }
        return prefix
    }
}

extension JSONName {
    static var algorithm: JSONName { JSONName("a", "l", "g") }
    static var keyID: JSONName { JSONName("k", "i", "d") }
    static var type: JSONName { JSONName("t", "y", "p") }
    static var contentType: JSONName { JSONName("c", "t", "y") }
    static var critical: JSONName { JSONName("c", "r", "i", "t") }
    static var base64: JSONName { JSONName("b", "6", "4") }
    static var issuer: JSONName { JSONName("i", "s", "s") }
    static var subject: JSONName { JSONName("s", "u", "b") }
    static var audience: JSONName { JSONName("a", "u", "d") }
    static var identifier: JSONName { JSONName("j", "t", "i") }
    static var expiresAt: JSONName { JSONName("e", "x", "p") }
    static var notBefore: JSONName { JSONName("n", "b", "f") }
    static var issuedAt: JSONName { JSONName("i", "a", "t") }
}
