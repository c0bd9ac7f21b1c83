/// Reads the plaintexts of records, which are CBOR (RFC 8949), in one go: no tree of values is made.
///
/// Takes what `RecordWriter` writes, members in any order, and passes over members of later versions, whatever is in
/// them but strings without a length. A name of ours that comes twice, a longer form than needed and a count of more
/// than there is are refused.
struct RecordReader {
    /// How deep what is passed over may be nested.
    private static let depthLimit = 32

    private let bytes: [UInt8]
    private let names: RecordNames
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        names = RecordNames.all
    }

    /// Reads a document that is one map, as `members` does; throws `RecordCoding.Unreadable`.
    static func read(_ bytes: [UInt8], _ read: (RecordName, inout RecordReader) throws -> Void) throws {
        guard bytes.count <= Vault.credentialLimit else { throw RecordCoding.Unreadable() }
        var reader = RecordReader(bytes)
        try reader.members(read)
        guard reader.position == bytes.count else { throw RecordCoding.Unreadable() }
    }

    /// Reads a map: `read` gets each member's name and takes its value, or skips it.
    mutating func members(_ read: (RecordName, inout RecordReader) throws -> Void) throws {
        try take(CBOR.mapStart)
        var seen: UInt64 = 0
        while !isTaken(CBOR.end) {
            let written = try string(.text)
            guard let name = names.find(bytes.span.extracting(written)) else {
                try skip()
                continue
            }
            guard seen & name.bit == 0 else { throw RecordCoding.Unreadable() }
            seen |= name.bit
            try read(name, &self)
        }
    }

    /// Reads a map whose names are values as well: `read` takes each value.
    mutating func entries<Value>(_ read: (inout RecordReader) throws -> Value) throws -> [String: Value] {
        var values: [String: Value] = [:]
        try take(CBOR.mapStart)
        while !isTaken(CBOR.end) {
            let name = try text()
            guard values.updateValue(try read(&self), forKey: name) == nil else { throw RecordCoding.Unreadable() }
        }
        return values
    }

    /// Reads an array: `read` takes each element.
    mutating func elements(_ read: (inout RecordReader) throws -> Void) throws {
        try take(CBOR.arrayStart)
        while !isTaken(CBOR.end) { try read(&self) }
    }

    /// Reads a text.
    mutating func text() throws -> String {
        let written = try string(.text)
        guard let text = try? UTF8Span(validating: bytes.span.extracting(written)) else {
            throw RecordCoding.Unreadable()
        }
        return String(copying: text)
    }

    /// Reads bytes.
    mutating func octets() throws -> [UInt8] { Array(bytes[try string(.bytes)]) }

    /// Reads a whole number in range.
    mutating func integer() throws -> Int64 {
        let (type, argument) = try head()
        guard type == .unsigned || type == .negative, argument <= UInt64(Int64.max) else {
            throw RecordCoding.Unreadable()
        }
        return type == .negative ? ~Int64(argument) : Int64(argument)
    }

    /// Reads true or false.
    mutating func flag() throws -> Bool {
        if isTaken(CBOR.true) { return true }
        try take(CBOR.false)
        return false
    }

    /// Goes past a value of any kind.
    mutating func skip() throws { try skip(depth: Self.depthLimit) }

    private mutating func skip(depth: Int) throws {
        guard depth > 0 else { throw RecordCoding.Unreadable() }
        if isTaken(CBOR.arrayStart) {
            while !isTaken(CBOR.end) { try skip(depth: depth - 1) }
            return
        }
        if isTaken(CBOR.mapStart) {
            while !isTaken(CBOR.end) {
                try skip(depth: depth - 1)
                try skip(depth: depth - 1)
            }
            return
        }
        let (type, argument) = try head()
        switch type {
        case .unsigned, .negative, .simple: break
        case .bytes, .text: _ = try range(argument)
        case .tag: try skip(depth: depth - 1)
        case .array, .map:
            // Each item takes a byte at least, so that a count beyond what is there ends soon.
            guard argument <= UInt64(bytes.count) else { throw RecordCoding.Unreadable() }
            for _ in 0..<(type == .map ? 2 * argument : argument) { try skip(depth: depth - 1) }
        }
    }

    /// Goes past a string of a type; where it is written.
    private mutating func string(_ expected: CBOR.MajorType) throws -> Range<Int> {
        let (type, argument) = try head()
        guard type == expected else { throw RecordCoding.Unreadable() }
        return try range(argument)
    }

    private mutating func range(_ count: UInt64) throws -> Range<Int> {
        guard count <= UInt64(bytes.count - position) else { throw RecordCoding.Unreadable() }
        let start = position
        position += Int(count)
        return start..<position
    }

    /// Goes past the first bytes of an item: its type, and a number in as few bytes as hold it.
    private mutating func head() throws -> (type: CBOR.MajorType, argument: UInt64) {
        guard position < bytes.count, let type = CBOR.MajorType(rawValue: bytes[position] >> 5) else {
            throw RecordCoding.Unreadable()
        }
        let first = bytes[position] & 31
        position += 1
        if first < 24 { return (type, UInt64(first)) }
        guard first < 28 else { throw RecordCoding.Unreadable() }
        let size = Int(first) - 24
        let count = 1 << size
        guard count <= bytes.count - position else { throw RecordCoding.Unreadable() }
        var argument: UInt64 = 0
        for index in position..<(position + count) { argument = argument << 8 | UInt64(bytes[index]) }
        position += count
        // Shorter forms end where longer ones begin; floating-point numbers have their size as their type.
        let least: UInt64 = size == 0 ? 24 : 1 << UInt64(8 << (size - 1))
        guard type == .simple || argument >= least else { throw RecordCoding.Unreadable() }
        return (type, argument)
    }

    private mutating func take(_ byte: UInt8) throws {
        guard isTaken(byte) else { throw RecordCoding.Unreadable() }
    }

    private mutating func isTaken(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
