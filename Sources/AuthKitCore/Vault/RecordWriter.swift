/// Writes the plaintexts of records as CBOR (RFC 8949), straight into bytes.
///
/// Maps and arrays have no count but an end (§3.2.2), so that what is in them need not be known before; everything else
/// has the shortest form (§4.2.1).
struct RecordWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// Makes a writer with room for so many bytes; more are taken as they are needed.
    init(room: Int) {
        bytes.reserveCapacity(room)
    }

    /// Writes a map, whose members `write` writes.
    mutating func object(_ write: (inout RecordWriter) -> Void) {
        bytes.append(CBOR.mapStart)
        write(&self)
        bytes.append(CBOR.end)
    }

    /// Writes an array, whose elements `write` writes.
    mutating func list(_ write: (inout RecordWriter) -> Void) {
        bytes.append(CBOR.arrayStart)
        write(&self)
        bytes.append(CBOR.end)
    }

    /// Writes a text.
    mutating func text(_ text: String) {
        head(.text, UInt64(truncatingIfNeeded: text.utf8.count))
        bytes += text.utf8
    }

    /// Writes a number.
    mutating func integer(_ value: Int64) {
        if value < 0 {
            head(.negative, ~UInt64(bitPattern: value))
        } else {
            head(.unsigned, UInt64(value))
        }
    }

    /// Writes the name of a member, whose value comes next.
    mutating func name(_ name: RecordName) { text(name.text) }

    /// Writes a member that is a text; nothing for nil.
    mutating func member(_ name: RecordName, _ text: String?) {
        guard let text else { return }
        self.name(name)
        self.text(text)
    }

    /// Writes a member that is bytes.
    mutating func member(_ name: RecordName, bytes value: [UInt8]) {
        self.name(name)
        head(.bytes, UInt64(truncatingIfNeeded: value.count))
        bytes += value
    }

    /// Writes a member by what writes its value; nothing for nil.
    mutating func member<Value>(_ name: RecordName, _ value: Value?, _ write: (inout RecordWriter, Value) -> Void) {
        guard let value else { return }
        self.name(name)
        write(&self, value)
    }

    /// Writes a member that is true.
    mutating func mark(_ name: RecordName) {
        self.name(name)
        bytes.append(CBOR.true)
    }

    /// Writes the first bytes of an item: its type, and a number in as few bytes as hold it (RFC 8949 §3).
    private mutating func head(_ type: CBOR.MajorType, _ argument: UInt64) {
        let type = type.rawValue << 5
        if argument < 24 {
            bytes.append(type | UInt8(argument))
            return
        }
        // 24 to 27: one, two, four or eight bytes follow.
        let size = argument >> 8 == 0 ? 0 : argument >> 16 == 0 ? 1 : argument >> 32 == 0 ? 2 : 3
        bytes.append(type | UInt8(24 + size))
        for index in (0..<(1 << size)).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: argument >> UInt64(8 * index)))
        }
    }
}
