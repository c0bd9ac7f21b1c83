/// Makes values of bytes that `JSONScanner` has accepted.
///
/// It checks nothing again; were the bytes not acceptable, the values would be wrong but memory stays safe.
struct JSONReader {
    private var position = 0

    /// Checks a document and makes its value.
    static func read(_ bytes: Span<UInt8>, limits: JSONLimits) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.byteCount, bytes.count < UInt32.max else {
            throw JSONError(.tooLarge, at: limits.byteCount)
        }
        var scanner = JSONScanner(depthLimit: limits.depth)
        _ = try scanner.scanDocument(bytes)
        return value(checked: bytes)
    }

    /// Makes the value of bytes that hold one, spaces around it allowed.
    static func value(checked bytes: Span<UInt8>) -> JSONValue {
        var reader = JSONReader()
        return reader.readValue(bytes)
    }

    private mutating func readValue(_ bytes: Span<UInt8>) -> JSONValue {
        switch next(bytes) {
        case UInt8(ascii: "{"): .object(readObject(bytes))
        case UInt8(ascii: "["): .array(readArray(bytes))
        case UInt8(ascii: "\""): .string(readString(bytes))
        case UInt8(ascii: "t"): readWord(4, .bool(true))
        case UInt8(ascii: "f"): readWord(5, .bool(false))
        case UInt8(ascii: "n"): readWord(4, .null)
        default: .number(readNumber(bytes))
        }
    }

    private mutating func readObject(_ bytes: Span<UInt8>) -> JSONObject {
        var members: [JSONObject.Member] = []
        position += 1
        while next(bytes) == UInt8(ascii: "\"") {
            let name = readString(bytes)
            skip(UInt8(ascii: ":"), bytes)
            members.append(JSONObject.Member(name: name, value: readValue(bytes)))
            skip(UInt8(ascii: ","), bytes)
        }
        position += 1
        return JSONObject(distinct: members)
    }

    private mutating func readArray(_ bytes: Span<UInt8>) -> [JSONValue] {
        var elements: [JSONValue] = []
        position += 1
        while let byte = next(bytes), byte != UInt8(ascii: "]") {
            elements.append(readValue(bytes))
            skip(UInt8(ascii: ","), bytes)
        }
        position += 1
        return elements
    }

    private mutating func readString(_ bytes: Span<UInt8>) -> String {
        position += 1
        let start = position
        var isEscaped = false
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        let end = min(position, bytes.count)
        position += 1
        return JSONText.string(bytes.extracting(min(start, end)..<end), isEscaped: isEscaped)
    }

    private mutating func readNumber(_ bytes: Span<UInt8>) -> JSONNumber {
        let start = position
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"):
                position += 1
                continue
            default: break
            }
            break
        }
        let end = min(position, bytes.count)
        return JSONNumber(checked: JSONText.string(bytes.extracting(min(start, end)..<end), isEscaped: false))
    }

    private mutating func readWord(_ count: Int, _ value: JSONValue) -> JSONValue {
        position += count
        return value
    }

    /// The first byte that is no space, which the position is then at.
    private mutating func next(_ bytes: Span<UInt8>) -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte <= 0x20 else { return byte }
            position += 1
        }
        return nil
    }

    private mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) {
        if next(bytes) == byte { position += 1 }
    }
}
