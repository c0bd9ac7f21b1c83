/// The text of strings that `JSONScanner` has checked.
enum JSONText {
    /// The bytes that a string between its quotes stands for.
    static func unescaped(_ written: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: written.count) { output in
            var index = 0
            while index < written.count {
                let byte = written[index]
                index += 1
                guard byte == UInt8(ascii: "\\"), index < written.count else {
                    output.append(byte)
                    continue
                }
                let escape = written[index]
                index += 1
                switch escape {
                case UInt8(ascii: "b"): output.append(0x08)
                case UInt8(ascii: "f"): output.append(0x0C)
                case UInt8(ascii: "n"): output.append(0x0A)
                case UInt8(ascii: "r"): output.append(0x0D)
                case UInt8(ascii: "t"): output.append(0x09)
                case UInt8(ascii: "u"):
                    // The shortest escape of a scalar is longer than its UTF-8, so the capacity is enough.
                    for unit in Unicode.UTF8.encode(scalar(written, &index)) ?? Unicode.UTF8.encodedReplacementCharacter
                    {
                        output.append(unit)
                    }
                default: output.append(escape)
                }
            }
        }
    }

    /// The text that a string between its quotes stands for.
    static func string(_ written: Span<UInt8>, isEscaped: Bool) -> String {
        if isEscaped { return String(decoding: unescaped(written), as: UTF8.self) }
        guard let text = try? UTF8Span(validating: written) else { return "" }
        return String(copying: text)
    }

    /// The value of a hexadecimal digit; nil for every other byte.
    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func scalar(_ written: Span<UInt8>, _ index: inout Int) -> Unicode.Scalar {
        var code = unit(written, &index)
        if (0xD800...0xDBFF).contains(code) {
            index += 2  // the backslash and u of the other half
            code = 0x10000 + (code - 0xD800) << 10 + ((unit(written, &index) | 0xDC00) - 0xDC00)
        }
        return Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private static func unit(_ written: Span<UInt8>, _ index: inout Int) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 where index < written.count {
            code = code << 4 | (digit(written[index]) ?? 0)
            index += 1
        }
        return code
    }
}
