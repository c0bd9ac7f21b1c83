/// Writes JSON: UTF-8, only what must be escaped is.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private var level = 0

    init(pretty: Bool) {
        isPretty = pretty
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += value.literal.utf8
        case .string(let value): write(value)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            writeEach(elements) { writer, element in writer.write(element) }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            writeEach(object.members) { writer, member in
                writer.write(member.name)
                writer.bytes += (writer.isPretty ? ": " : ":").utf8
                writer.write(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func writeEach<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        guard !elements.isEmpty else { return }
        level += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            startLine()
            write(&self, element)
        }
        level -= 1
        startLine()
    }

    private mutating func startLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * level)
    }

    private mutating func write(_ text: String) { Self.write(text, to: &bytes) }

    /// Appends a string in its quotes.
    static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let span = text.utf8Span.span
        if isPlain(span) {
            bytes += text.utf8
        } else {
            escape(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether nothing in a text must be escaped; false also for what is beyond ASCII, which need not be looked at fast.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index &+ 16 <= bytes.count {
            guard SIMD16(bytes, at: index).countBeforeStop == 16 else { return false }
            index &+= 16
        }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x80...: return false
            default: index &+= 1
            }
        }
        return true
    }

    private static func escape(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case 0x08: bytes += #"\b"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0C: bytes += #"\f"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0..<0x20: bytes += (#"\u00"# + Hexadecimal.encode([byte])).utf8
            default: bytes.append(byte)
            }
        }
    }
}
