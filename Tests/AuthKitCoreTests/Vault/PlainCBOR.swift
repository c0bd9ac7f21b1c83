@testable import AuthKitCore

/// CBOR (RFC 8949) shown as JSON and made of it, in the plainest way. Bytes are base64url text under the names that
/// records have for them, and a fraction stands for a half-precision number, whichever.
enum PlainCBOR {
    private struct Unreadable: Error {}

    /// The members whose values are bytes; `token` where its value is a text.
    private static let byteNames: Set<String> = ["incarnation", "token"]

    /// One item as JSON text.
    static func text(of bytes: [UInt8]) throws -> String {
        var rest = bytes[...]
        let value = try value(&rest)
        guard rest.isEmpty else { throw Unreadable() }
        return String(decoding: value.serialized(), as: UTF8.self)
    }

    /// The item that a JSON text is.
    static func bytes(of text: String) throws -> [UInt8] {
        bytes(of: try JSONValue(parsing: Array(text.utf8)))
    }

    static func bytes(of value: JSONValue) -> [UInt8] {
        if let object = value.object {
            return [0xBF]
                + object.members.flatMap { member -> [UInt8] in
                    let name = string(3, Array(member.name.utf8))
                    // What is no base64url, in a test of wrong types, stays a text.
                    if byteNames.contains(member.name), let text = member.value.string,
                        let octets = try? Base64URL.decode(text)
                    {
                        return name + string(2, octets)
                    }
                    return name + bytes(of: member.value)
                } + [0xFF]
        }
        if let array = value.array { return [0x9F] + array.flatMap(bytes(of:)) + [0xFF] }
        if let text = value.string { return string(3, Array(text.utf8)) }
        if let flag = value.bool { return [flag ? 0xF5 : 0xF4] }
        guard let number = value.int64 else { return value == .null ? [0xF6] : [0xF9, 0x38, 0x00] }
        return number < 0 ? head(1, UInt64(-1 - number)) : head(0, UInt64(number))
    }

    private static func string(_ type: UInt8, _ octets: [UInt8]) -> [UInt8] {
        head(type, UInt64(octets.count)) + octets
    }

    private static func head(_ type: UInt8, _ number: UInt64) -> [UInt8] {
        let octets = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        switch number {
        case ..<24: return [type * 32 + UInt8(number)]
        case ..<256: return [type * 32 + 24] + octets.suffix(1)
        case ..<65_536: return [type * 32 + 25] + octets.suffix(2)
        case ..<4_294_967_296: return [type * 32 + 26] + octets.suffix(4)
        default: return [type * 32 + 27] + octets
        }
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) throws -> JSONValue {
        guard let first = rest.popFirst() else { throw Unreadable() }
        switch first {
        case 0xF5: return true
        case 0x9F:
            var elements: [JSONValue] = []
            while rest.first != 0xFF { elements.append(try value(&rest)) }
            rest.removeFirst()
            return .array(elements)
        case 0xBF:
            var members: [JSONObject.Member] = []
            while rest.first != 0xFF {
                guard let name = try value(&rest).string else { throw Unreadable() }
                members.append(JSONObject.Member(name: name, value: try value(&rest)))
            }
            rest.removeFirst()
            return .object(JSONObject(distinct: members))
        default: break
        }
        let size = Int(first % 32)
        let number: Int
        if size < 24 {
            number = size
        } else {
            let count = 1 << (size - 24)
            number = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        switch first / 32 {
        case 0: return .integer(Int64(number))
        case 1: return .integer(Int64(-1 - number))
        case 2:
            defer { rest = rest.dropFirst(number) }
            return .string(Base64URL.encode(Array(rest.prefix(number))))
        case 3:
            defer { rest = rest.dropFirst(number) }
            return .string(String(decoding: rest.prefix(number), as: UTF8.self))
        default: throw Unreadable()
        }
    }
}
