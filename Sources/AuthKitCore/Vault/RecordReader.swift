/// Reads the JSON of records in one go, in the order in which it was written: no tree of values is made.
///
/// As strict as `JSONValue`. Whoever reads a member or an element takes its value, or skips it.
struct RecordReader {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a document that is one object, as `members` does; throws `RecordCoding.Unreadable`.
    static func read(_ bytes: [UInt8], _ read: (RecordName, inout RecordReader) throws -> Void) throws {
        guard bytes.count <= JSONLimits.record.byteCount else { throw RecordCoding.Unreadable() }
        var reader = RecordReader(bytes)
        try reader.members(read)
        reader.skipSpaces()
        guard reader.position == bytes.count else { throw RecordCoding.Unreadable() }
    }

    /// Reads an object: `read` gets each member's name and takes its value.
    mutating func members(_ read: (RecordName, inout RecordReader) throws -> Void) throws {
        try eachMember { name, _, _, reader in try read(name, &reader) }
    }

    /// Reads an object whose names are values as well.
    mutating func entries(_ read: (String, inout RecordReader) throws -> Void) throws {
        try eachMember { _, written, isEscaped, reader in
            let name = JSONText.string(reader.bytes.span.extracting(written), isEscaped: isEscaped)
            try read(name, &reader)
        }
    }

    /// Reads an array: `read` takes each element.
    mutating func elements(_ read: (inout RecordReader) throws -> Void) throws {
        try take(UInt8(ascii: "["))
        if isTaken(UInt8(ascii: "]")) { return }
        repeat { try read(&self) } while isTaken(UInt8(ascii: ","))
        try take(UInt8(ascii: "]"))
    }

    /// Reads a string.
    mutating func text() throws -> String {
        let (written, isEscaped) = try string()
        return JSONText.string(bytes.span.extracting(written), isEscaped: isEscaped)
    }

    /// Reads a whole number in range.
    mutating func integer() throws -> Int64 {
        skipSpaces()
        var index = position
        let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let first = index
        var value: Int64 = 0
        // Eighteen digits fit whatever they are.
        while index < bytes.count, index - first < 18, bytes[index] &- UInt8(ascii: "0") < 10 {
            value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        let isPlain = index > first && (bytes[first] != UInt8(ascii: "0") || index == first + 1)
        if isPlain, index < bytes.count, bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: "]") {
            position = index
            return isNegative ? -value : value
        }
        guard let number = try any().int64 else { throw RecordCoding.Unreadable() }
        return number
    }

    /// Reads `true` or `false`.
    mutating func flag() throws -> Bool {
        guard let flag = try any().bool else { throw RecordCoding.Unreadable() }
        return flag
    }

    /// Goes past a value of any kind.
    mutating func skip() throws { _ = try scan() }

    /// Reads each member: `read` gets its name, where that is written and whether with escapes, and takes its value.
    private mutating func eachMember(
        _ read: (RecordName, Range<Int>, Bool, inout RecordReader) throws -> Void
    ) throws {
        try take(UInt8(ascii: "{"))
        let start = position - 1
        if isTaken(UInt8(ascii: "}")) { return }
        var (seen, isChecked) = (UInt64(0), false)
        repeat {
            let (written, isEscaped) = try string()
            let name = name(written, isEscaped: isEscaped)
            if seen & name.bit != 0, !isChecked {
                // Perhaps a name comes twice: the scanner tells, once for the whole object.
                _ = try end(of: start)
                isChecked = true
            }
            seen |= name.bit
            try take(UInt8(ascii: ":"))
            try read(name, written, isEscaped, &self)
        } while isTaken(UInt8(ascii: ","))
        try take(UInt8(ascii: "}"))
    }

    private func name(_ written: Range<Int>, isEscaped: Bool) -> RecordName {
        let span = bytes.span.extracting(written)
        guard isEscaped else { return RecordName(span) }
        let name = JSONText.unescaped(span)
        return RecordName(name.span)
    }

    /// Goes past a string; where it is written between its quotes, and whether with escapes.
    private mutating func string() throws -> (written: Range<Int>, isEscaped: Bool) {
        try take(UInt8(ascii: "\""))
        let start = position
        var scanner = JSONScanner()
        scanner.position = start - 1
        guard let isEscaped = try? scanner.scanString(bytes.span) else { throw RecordCoding.Unreadable() }
        position = scanner.position
        return (start..<max(start, position - 1), isEscaped)
    }

    /// Goes past a value; where it is written.
    private mutating func scan() throws -> Range<Int> {
        skipSpaces()
        let start = position
        position = try end(of: start)
        return start..<max(start, position)
    }

    /// Checks the value that begins at an offset; where it ends.
    private func end(of start: Int) throws -> Int {
        var scanner = JSONScanner(depthLimit: JSONLimits.record.depth)
        scanner.position = start
        guard (try? scanner.scanValue(bytes.span)) != nil else { throw RecordCoding.Unreadable() }
        return scanner.position
    }

    /// Makes a value of any kind.
    private mutating func any() throws -> JSONValue {
        let written = try scan()
        return JSONReader.value(checked: bytes.span.extracting(written))
    }

    private mutating func take(_ byte: UInt8) throws {
        guard isTaken(byte) else { throw RecordCoding.Unreadable() }
    }

    private mutating func isTaken(_ byte: UInt8) -> Bool {
        skipSpaces()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        guard position < bytes.count, bytes[position] <= 0x20 else { return }
        var scanner = JSONScanner()
        scanner.position = position
        scanner.skipSpaces(bytes.span)
        position = scanner.position
    }
}
