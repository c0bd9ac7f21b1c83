/// Where one member of an object lies in checked bytes: nothing is copied until somebody asks.
struct JSONMember: Sendable {
    /// What a value is.
    enum Kind: UInt8, Sendable {
        case null
        case bool
        case number
        case string
        case array
        case object
    }

    /// The first eight bytes of the name without escapes, as `JSONName` has them.
    var prefix: UInt64
    /// How many bytes the name has without escapes.
    var nameCount: UInt32
    /// The name as written, without its quotes.
    var nameStart: UInt32
    var nameEnd: UInt32
    /// The value as written, quotes included.
    var start: UInt32 = 0
    var end: UInt32 = 0
    var kind = Kind.null
    /// Whether the name is written with escapes.
    var hasEscapedName: Bool
    /// Whether the value is a string that is written with escapes.
    var isEscaped = false

    var nameRange: Range<Int> { Int(nameStart)..<max(Int(nameStart), Int(nameEnd)) }
    var range: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
    /// What is between the quotes of a string.
    var textRange: Range<Int> { Int(start) + 1..<max(Int(start) + 1, Int(end) - 1) }

    /// Whether the name is this one; the bytes are those that the member lies in.
    @inline(__always)
    func isNamed(_ name: JSONName, in bytes: Span<UInt8>) -> Bool {
        prefix == name.prefix && nameCount == name.count && (nameCount <= 8 || isNamed(long: name.long, in: bytes))
    }

    @inline(never)
    private func isNamed(long name: [UInt8], in bytes: Span<UInt8>) -> Bool {
        let written = bytes.extracting(nameRange)
        return hasEscapedName ? JSONText.unescaped(written) == name : written.isEqual(to: name.span)
    }

    /// Whether two members have the same name, whichever way it is written.
    @inline(never)
    func hasSameName(as other: JSONMember, in bytes: Span<UInt8>) -> Bool {
        guard prefix == other.prefix, nameCount == other.nameCount else { return false }
        guard nameCount > 8 else { return true }
        if hasEscapedName || other.hasEscapedName { return nameBytes(in: bytes) == other.nameBytes(in: bytes) }
        return bytes.extracting(nameRange).isEqual(to: bytes.extracting(other.nameRange))
    }

    /// The name without escapes.
    func nameBytes(in bytes: Span<UInt8>) -> [UInt8] { JSONText.unescaped(bytes.extracting(nameRange)) }
}
