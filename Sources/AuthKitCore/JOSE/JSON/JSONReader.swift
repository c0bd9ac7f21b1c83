/// Reads one JSON document in one pass over its bytes.
struct JSONReader {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func readDocument() throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.byteCount else { throw JSONError(.tooLarge, at: limits.byteCount) }
        let value = try readValue()
        skipSpaces()
        guard position == bytes.count else { throw JSONError(.trailingBytes, at: position) }
        return value
    }

    private mutating func readValue() throws(JSONError) -> JSONValue {
        skipSpaces()
        guard let first = peek else { throw JSONError(.malformed, at: position) }
        switch first {
        case UInt8(ascii: "{"): return .object(try readObject())
        case UInt8(ascii: "["): return .array(try readArray())
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: throw JSONError(.malformed, at: position)
        }
    }

    private mutating func readObject() throws(JSONError) -> JSONObject {
        try descend()
        var members: [JSONObject.Member] = []
        // Names are compared as bytes; a set keeps a hostile object of many members from taking quadratic time.
        var names: Set<[UInt8]> = []
        skipSpaces()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpaces()
                guard peek == UInt8(ascii: "\"") else { throw JSONError(.malformed, at: position) }
                let start = position
                let name = try readString()
                guard names.insert(Array(name.utf8)).inserted else { throw JSONError(.duplicateMember, at: start) }
                skipSpaces()
                guard take(UInt8(ascii: ":")) else { throw JSONError(.malformed, at: position) }
                members.append(JSONObject.Member(name: name, value: try readValue()))
                skipSpaces()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw JSONError(.malformed, at: position) }
        }
        depth -= 1
        return JSONObject(distinct: members)
    }

    private mutating func readArray() throws(JSONError) -> [JSONValue] {
        try descend()
        var elements: [JSONValue] = []
        skipSpaces()
        if !take(UInt8(ascii: "]")) {
            repeat {
                elements.append(try readValue())
                skipSpaces()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw JSONError(.malformed, at: position) }
        }
        depth -= 1
        return elements
    }

    private mutating func readNumber() throws(JSONError) -> JSONNumber {
        let start = position
        _ = take(UInt8(ascii: "-"))
        // RFC 8259 §6: no leading zeros.
        if !take(UInt8(ascii: "0")) { try readDigits() }
        if take(UInt8(ascii: ".")) { try readDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try readDigits()
        }
        return JSONNumber(checked: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func readDigits() throws(JSONError) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw JSONError(.malformed, at: position) }
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard take(byte) else { throw JSONError(.malformed, at: position) }
        }
        return value
    }

    private mutating func descend() throws(JSONError) {
        depth += 1
        guard depth <= limits.depth else { throw JSONError(.tooDeep, at: position) }
        position += 1
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func readString() throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = peek {
            if byte == UInt8(ascii: "\"") {
                defer { position += 1 }
                return try text(bytes[start..<position], from: start)
            }
            if byte == UInt8(ascii: "\\") { return try readEscapedString(from: start) }
            // RFC 8259 §7: control characters must be escaped.
            guard byte >= 0x20 else { throw JSONError(.malformed, at: position) }
            position += 1
        }
        throw JSONError(.malformed, at: position)
    }

    private mutating func readEscapedString(from start: Int) throws(JSONError) -> String {
        var buffer = bytes[start..<position]
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try text(buffer, from: start)
            case UInt8(ascii: "\\"):
                position += 1
                try readEscape(into: &buffer)
            case 0..<0x20:
                throw JSONError(.malformed, at: position)
            default:
                buffer.append(byte)
                position += 1
            }
        }
        throw JSONError(.malformed, at: position)
    }

    private mutating func readEscape(into buffer: inout ArraySlice<UInt8>) throws(JSONError) {
        guard let byte = peek else { throw JSONError(.malformed, at: position) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer += Array(String(Character(try readUnicodeEscape())).utf8)
        default: throw JSONError(.malformed, at: position - 1)
        }
    }

    private mutating func readUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        var code = try readFourDigits()
        if (0xD800...0xDBFF).contains(code) {
            // RFC 8259 §7: beyond the basic plane a pair is written; §8.2: halves alone have no meaning.
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw JSONError(.loneSurrogate, at: start) }
            let low = try readFourDigits()
            guard (0xDC00...0xDFFF).contains(low) else { throw JSONError(.loneSurrogate, at: start) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw JSONError(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func readFourDigits() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw JSONError(.malformed, at: position)
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    private func text(_ bytes: ArraySlice<UInt8>, from start: Int) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONError(.invalidUTF8, at: start) }
        return text
    }
}
