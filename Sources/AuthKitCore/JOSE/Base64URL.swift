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
        result = [UInt8](repeating: 0, count: room(for: text.count))
        var count = 0
        var output = result.mutableSpan
        guard decode(text.span, from: 0, into: &output, at: &count) == text.count else { return false }
        result.removeSubrange(count...)
        return true
    }

    /// How large a buffer must be for `decode(_:from:into:at:)`, for parts of so many characters together.
    static func room(for count: Int) -> Int { count / 4 * 3 + 8 }

    /// Decodes up to a dot or the end and says where that is; nil when the text before it is not canonical.
    ///
    /// The bytes are put at an offset, which then moves behind them. Four more bytes may be overwritten.
    @inline(__always)
    static func decode(
        _ text: Span<UInt8>,
        from start: Int,
        into output: inout MutableSpan<UInt8>,
        at offset: inout Int
    ) -> Int? {
        var (rest, place) = (text.extracting(droppingFirst: start), offset)
        // Bounds are checked by each store.
        var room = unsafe output.mutableBytes
        // Twelve bytes are stored with four more that the next group overwrites: one is sure to come.
        while rest.count >= 20 {
            let first = group(rest[0], rest[1], rest[2], rest[3])
            let second = group(rest[4], rest[5], rest[6], rest[7])
            let third = group(rest[8], rest[9], rest[10], rest[11])
            let fourth = group(rest[12], rest[13], rest[14], rest[15])
            guard (first | second | third | fourth) >> 31 == 0 else { break }
            let low = UInt64(first) | UInt64(second) << 24 | UInt64(third) << 48
            let high = UInt64(third) >> 16 | UInt64(fourth) << 8
            let bytes = UInt128(low) | UInt128(high) << 64
            room.storeBytes(of: bytes.littleEndian, toByteOffset: place, as: UInt128.self)
            rest = rest.extracting(droppingFirst: 16)
            place &+= 12
        }
        offset = place
        return decodeRest(text, from: text.count &- rest.count, into: &output, at: &offset)
    }

    /// Decodes the last groups.
    private static func decodeRest(
        _ text: Span<UInt8>,
        from start: Int,
        into output: inout MutableSpan<UInt8>,
        at offset: inout Int
    ) -> Int? {
        var index = start
        while index &+ 4 <= text.count {
            let part = text.extracting(index..<index &+ 4)
            let value = group(part[0], part[1], part[2], part[3])
            guard value &>> 31 == 0 else { break }
            var place = output._mutatingExtracting(offset..<offset &+ 3)
            place[0] = UInt8(truncatingIfNeeded: value)
            place[1] = UInt8(truncatingIfNeeded: value &>> 8)
            place[2] = UInt8(truncatingIfNeeded: value &>> 16)
            offset &+= 3
            index &+= 4
        }
        let pad = UInt8(ascii: "A")
        var end = index
        while end < text.count, group(pad, pad, pad, text[end]) >> 31 == 0 { end += 1 }
        guard end == text.count || text[end] == UInt8(ascii: ".") else { return nil }
        switch end - index {
        case 0: return end
        case 2:
            let value = group(text[index], text[index + 1], pad, pad)
            // RFC 4648 §3.5: bits that belong to no byte must be zero.
            guard value & 0xFF_FF00 == 0 else { return nil }
            output[offset] = UInt8(truncatingIfNeeded: value)
            offset += 1
            return end
        case 3:
            let value = group(text[index], text[index + 1], text[index + 2], pad)
            guard value & 0xFF_0000 == 0 else { return nil }
            output[offset] = UInt8(truncatingIfNeeded: value)
            output[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
            offset += 2
            return end
        // RFC 4648 §4: a last group has two or three characters, never one.
        default: return nil
        }
    }

    /// The three bytes of four characters, the first one lowest; the highest bit is set when one of them is outside the alphabet.
    @inline(__always)
    private static func group(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt32 {
        places[Int(a)] | places[256 &+ Int(b)] | places[512 &+ Int(c)] | places[768 &+ Int(d)]
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
