/// `application/x-www-form-urlencoded`, both ways (WHATWG URL §5; RFC 6749 Appendix B).
package enum FormEncoding {
    /// The serialized parameters.
    package static func encode(_ parameters: [FormParameter]) -> String {
        parameters.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// One name or value: everything but ASCII letters, digits and `*-._` is escaped, a space becomes `+`.
    package static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                result.append(byte)
            case UInt8(ascii: " "):
                result.append(UInt8(ascii: "+"))
            default:
                result += PercentEncoding.escape(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Reads parameters in order; nil for a bad escape or bytes that are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> [(name: String, value: String)]? {
        var result: [(name: String, value: String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(Array(halves[0]), plusIsSpace: true),
                let value = PercentEncoding.decode(halves.count > 1 ? Array(halves[1]) : [], plusIsSpace: true)
            else { return nil }
            result.append((name, value))
        }
        return result
    }
}
