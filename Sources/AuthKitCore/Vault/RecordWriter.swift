/// Writes the JSON of records straight into bytes, without spaces, as `JSONValue` would.
struct RecordWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []
    /// Whether what comes next is the first of its object or list, or the value of a member.
    private var isFirst = true

    /// Makes a writer with room for so many bytes; more are taken as they are needed.
    init(room: Int) {
        bytes.reserveCapacity(room)
    }

    /// Writes an object, whose members `write` writes.
    mutating func object(_ write: (inout RecordWriter) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), write)
    }

    /// Writes a list, whose elements `write` writes.
    mutating func list(_ write: (inout RecordWriter) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]"), write)
    }

    /// Writes a string.
    mutating func text(_ text: String) {
        separate()
        JSONWriter.write(text, to: &bytes)
    }

    /// Writes a number.
    mutating func integer(_ value: Int64) {
        separate()
        bytes += String(value).utf8
    }

    /// Writes the name of a member, whose value comes next.
    mutating func name(_ name: RecordName) {
        separate()
        bytes.append(addingCapacity: name.count + 3) { output in
            output.append(UInt8(ascii: "\""))
            name.write(to: &output)
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
        }
        isFirst = true
    }

    /// Writes the name of a member that is a value as well.
    mutating func name(text name: String) {
        text(name)
        bytes.append(UInt8(ascii: ":"))
        isFirst = true
    }

    /// Writes a member that is a string; nothing for nil.
    mutating func member(_ name: RecordName, _ text: String?) {
        guard let text else { return }
        self.name(name)
        self.text(text)
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
        separate()
        bytes += "true".utf8
    }

    private mutating func enclose(_ start: UInt8, _ end: UInt8, _ write: (inout RecordWriter) -> Void) {
        separate()
        bytes.append(start)
        isFirst = true
        write(&self)
        bytes.append(end)
        isFirst = false
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }
}
