/// base64url without padding (RFC 4648 §5, RFC 7515 §2), in its canonical form only.
///
/// Refuses padding, characters outside the alphabet, a length that no byte string has, and set bits beyond the last
/// byte: each byte string has exactly one text, so a changed text is a changed value.
package enum Base64URL {
    /// Encodes bytes as text.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: encodeBytes(bytes), as: UTF8.self)
    }

    /// Decodes text.
    package static func decode(_ text: some StringProtocol) throws(Base64URLError) -> [UInt8] {
        try decode(bytes: Array(text.utf8)[...])
    }

    /// Decodes text that is given as ASCII bytes.
    package static func decode(bytes text: ArraySlice<UInt8>) throws(Base64URLError) -> [UInt8] {
        var result: [UInt8] = []
        guard decode(text, into: &result) else { throw Base64URLError() }
        return result
    }

    /// Decodes the text of a secret, and wipes what was decoded of it; nil where `decode` throws.
    static func decode(secret text: ArraySlice<UInt8>) -> SecretBytes? {
        var result: [UInt8] = []
        defer { ConstantTime.wipe(&result) }
        return decode(text, into: &result) ? SecretBytes(copying: result) : nil
    }

    private static func decode(_ text: ArraySlice<UInt8>, into result: inout [UInt8]) -> Bool {
        var end: Int?
        result = [UInt8](capacity: text.count / 4 * 3 + 3) { output in
            end = decode(text.span, from: 0, into: &output)
        }
        return end == text.count
    }

    /// Decodes up to a dot or the end and says where that is; nil when the text before it is not canonical.
    ///
    /// The output must have room for three bytes for every four characters, and three more.
    @inline(__always)
    static func decode(_ text: Span<UInt8>, from start: Int, into output: inout OutputSpan<UInt8>) -> Int? {
        var index = start
        while index &+ 4 <= text.count {
            let group = text.extracting(index..<index &+ 4)
            let (a, b) = (values[Int(group[0])], values[Int(group[1])])
            let (c, d) = (values[Int(group[2])], values[Int(group[3])])
            // Values are below 64, so a higher bit means that some character is outside the alphabet.
            guard a | b | c | d < 64 else { break }
            output.append(a << 2 | b >> 4)
            output.append(b << 4 | c >> 2)
            output.append(c << 6 | d)
            index &+= 4
        }
        return decodeRest(text, from: index, into: &output)
    }

    /// Decodes the last group, of less than four characters.
    private static func decodeRest(_ text: Span<UInt8>, from start: Int, into output: inout OutputSpan<UInt8>) -> Int? {
        var end = start
        while end < text.count, values[Int(text[end])] < 64 { end += 1 }
        guard end == text.count || text[end] == UInt8(ascii: ".") else { return nil }
        switch end - start {
        case 0: return end
        case 2:
            let (a, b) = (values[Int(text[start])], values[Int(text[start + 1])])
            // RFC 4648 §3.5: bits that belong to no byte must be zero.
            guard b & 15 == 0 else { return nil }
            output.append(a << 2 | b >> 4)
            return end
        case 3:
            let (a, b, c) = (values[Int(text[start])], values[Int(text[start + 1])], values[Int(text[start + 2])])
            guard c & 3 == 0 else { return nil }
            output.append(a << 2 | b >> 4)
            output.append(b << 4 | c >> 2)
            return end
        // RFC 4648 §4: a last group has two or three characters, never one.
        default: return nil
        }
    }

    static func encodeBytes(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 4 + 2) / 3)
        var index = 0
        while index + 2 < bytes.count {
            let (a, b, c) = (bytes[index], bytes[index + 1], bytes[index + 2])
            result.append(alphabet[Int(a >> 2)])
            result.append(alphabet[Int((a & 3) << 4 | b >> 4)])
            result.append(alphabet[Int((b & 15) << 2 | c >> 6)])
            result.append(alphabet[Int(c & 63)])
            index += 3
        }
        if index < bytes.count {
            let a = bytes[index]
            result.append(alphabet[Int(a >> 2)])
            if index + 1 < bytes.count {
                let b = bytes[index + 1]
                result.append(alphabet[Int((a & 3) << 4 | b >> 4)])
                result.append(alphabet[Int((b & 15) << 2)])
            } else {
                result.append(alphabet[Int((a & 3) << 4)])
            }
        }
        return result
    }
}
