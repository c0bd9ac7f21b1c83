extension JSONScanner {
    /// Marks, in a word of eight bytes, what is no digit; the lowest mark is right.
    @inline(__always)
    static func others(thanDigitsIn word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let values = word ^ (ones &* UInt64(UInt8(ascii: "0")))
        return ((values &+ (ones &* 0x76)) | values) & (ones &* 0x80)
    }

    /// Checks a string whose opening quote is at the position; whether it is written with escapes.
    mutating func scanString(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        var index = position
        let isEscaped = try scanString(bytes, &index)
        position = index
        return isEscaped
    }

    /// The same with a position that the caller keeps.
    @inline(__always)
    mutating func scanString(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONError) -> Bool {
        var offset = index &+ 1
        let last = bytes.count &- 16
        while offset < bytes.count {
            // The last step looks again at bytes that were passed, since there must be sixteen.
            let step = min(offset, last)
            guard step > index else { break }
            let count = SIMD16(bytes, at: step).countBeforeStop
            offset = step &+ count
            if count < 16 {
                guard bytes[offset] == UInt8(ascii: "\"") else { break }
                index = offset &+ 1
                return false
            }
        }
        let isEscaped = try scanRest(of: bytes, from: offset)
        index = position
        return isEscaped
    }

    /// Goes on byte by byte: at the end of the bytes, at escapes and beyond ASCII.
    @inline(never)
    private mutating func scanRest(of bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Bool {
        var isEscaped = false
        position = start
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position &+= 1
                return isEscaped
            case UInt8(ascii: "\\"):
                isEscaped = true
                position &+= 1
                try scanEscape(bytes)
            case 0x20..<0x80: position &+= 1
            // RFC 8259 §7: control characters must be escaped.
            case 0..<0x20: throw JSONError(.malformed, at: position)
            default:
                let count = Self.sequenceCount(bytes, at: position)
                guard count > 0 || isTolerated else { throw JSONError(.invalidUTF8, at: position) }
                position &+= max(count, 1)
            }
        }
        throw JSONError(.malformed, at: position)
    }

    private mutating func scanEscape(_ bytes: Span<UInt8>) throws(JSONError) {
        guard position < bytes.count else { throw JSONError(.malformed, at: position) }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            position &+= 1
            try scanUnicodeEscape(bytes)
        default: throw JSONError(.malformed, at: position)
        }
    }

    private mutating func scanUnicodeEscape(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        let code = try scanFourDigits(bytes)
        guard (0xD800...0xDFFF).contains(code), !isTolerated else { return }
        // RFC 8259 §7: beyond the basic plane a pair is written; §8.2: halves alone have no meaning.
        guard code < 0xDC00, take(UInt8(ascii: "\\"), bytes), take(UInt8(ascii: "u"), bytes) else {
            throw JSONError(.loneSurrogate, at: start)
        }
        guard (0xDC00...0xDFFF).contains(try scanFourDigits(bytes)) else { throw JSONError(.loneSurrogate, at: start) }
    }

    private mutating func scanFourDigits(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = JSONText.digit(bytes[position]) else {
                throw JSONError(.malformed, at: position)
            }
            code = code << 4 | digit
            position &+= 1
        }
        return code
    }

    /// How long the UTF-8 sequence at an offset is, beyond ASCII; 0 when there is none (RFC 3629 §4).
    private static func sequenceCount(_ bytes: Span<UInt8>, at offset: Int) -> Int {
        let lead = bytes[offset]
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard (0xC2...0xF4).contains(lead), bytes.count - offset >= count else { return 0 }
        // No overlong forms, no surrogates, nothing beyond U+10FFFF.
        let second: ClosedRange<UInt8> =
            switch lead {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        guard second.contains(bytes[offset + 1]) else { return 0 }
        for index in 2..<max(count, 2) {
            guard (0x80...0xBF).contains(bytes[offset + index]) else { return 0 }
        }
        return count
    }
}
