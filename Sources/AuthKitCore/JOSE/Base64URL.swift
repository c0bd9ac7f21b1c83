/// base64url without padding (RFC 4648 §5, RFC 7515 §2), in its canonical form only.
///
/// Refuses padding, characters outside the alphabet, a length that no byte string has, and set bits beyond the last
/// byte: each byte string has exactly one text, so a changed text is a changed value.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }()

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
        // RFC 4648 §4: a last group has two or three characters, never one.
        guard text.count % 4 != 1 else { return false }
        result.reserveCapacity(text.count / 4 * 3 + 2)
        let table = values
        var invalid: UInt8 = 0
        var index = text.startIndex
        let wholeEnd = text.endIndex - text.count % 4
        while index < wholeEnd {
            let a = table[Int(text[index])]
            let b = table[Int(text[index + 1])]
            let c = table[Int(text[index + 2])]
            let d = table[Int(text[index + 3])]
            invalid |= a | b | c | d
            result.append(a << 2 | b >> 4)
            result.append(b << 4 | c >> 2)
            result.append(c << 6 | d & 63)
            index += 4
        }
        if index < text.endIndex {
            let a = table[Int(text[index])]
            let b = table[Int(text[index + 1])]
            invalid |= a | b
            result.append(a << 2 | b >> 4)
            if index + 2 < text.endIndex {
                let c = table[Int(text[index + 2])]
                invalid |= c
                result.append(b << 4 | c >> 2)
                // RFC 4648 §3.5: bits that belong to no byte must be zero.
                guard c & 3 == 0 else { return false }
            } else {
                guard b & 15 == 0 else { return false }
            }
        }
        // Values are below 64, so a higher bit means that some character was outside the alphabet.
        return invalid < 64
    }

    static func encodeBytes(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 4 + 2) / 3)
        let alphabet = alphabet
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
