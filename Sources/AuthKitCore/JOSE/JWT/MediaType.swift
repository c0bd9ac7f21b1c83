/// A type that a header's `typ` may be: compared without case, `application/` implied (RFC 7515 §4.1.9).
struct MediaType: Sendable {
    private static let implied = Array("application/".utf8)

    private let full: [UInt8]

    init(_ type: String) {
        let lower = type.utf8.map(Self.lower)
        // RFC 7515 §4.1.9: a type without a slash has an implied application/.
        full = lower.contains(UInt8(ascii: "/")) ? lower : Self.implied + lower
    }

    /// Whether a `typ` as sent is this type.
    func matches(_ type: Span<UInt8>) -> Bool {
        var hasSlash = false
        for index in type.indices where type[index] == UInt8(ascii: "/") { hasSlash = true }
        let skipped = hasSlash ? 0 : 12
        let full = full.span
        guard type.count == full.count - skipped else { return false }
        if skipped > 0, !full.extracting(0..<skipped).isEqual(to: Self.implied.span) { return false }
        for index in type.indices where Self.lower(type[index]) != full[skipped + index] { return false }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
