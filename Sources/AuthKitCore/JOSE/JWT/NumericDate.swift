/// Dates in claims: JSON numbers, seconds since 1970, fractions allowed (RFC 7519 §2).
enum NumericDate {
    /// Later dates are held for this one, some thousand million years ahead: tokens that never end say so with 2^63-1.
    private static let latest = Duration.seconds(1 << 55)

    /// Reads a date; nil unless it is a number, not negative and not beyond 64 bits.
    static func read(_ value: JSONValue) -> WallTime? {
        guard let number = value.number, let seconds = number.seconds, seconds >= .zero, !number.isNegative else {
            return nil
        }
        return WallTime(sinceEpoch: min(seconds, latest))
    }

    /// Reads the date of a member; nil under the same conditions.
    static func read(_ member: JSONMember, in bytes: Span<UInt8>) -> WallTime? {
        attoseconds(member, in: bytes).map { WallTime(sinceEpoch: Duration(attoseconds: $0)) }
    }

    /// Reads the date of a member as attoseconds since 1970, which are compared at no cost; nil as above.
    @inline(__always)
    static func attoseconds(_ member: JSONMember, in bytes: Span<UInt8>) -> Int128? {
        guard member.kind == .number else { return nil }
        let digits = bytes.extracting(member.range)
        // Dates of our time have ten digits.
        guard (8...15).contains(digits.count), let high = eightDigits(digits.word(at: 0)) else {
            return read(number: digits)
        }
        var seconds = high
        for index in 8..<digits.count {
            let digit = digits[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return read(number: digits) }
            seconds = seconds &* 10 &+ Int64(digit)
        }
        return Int128(seconds) &* 1_000_000_000_000_000_000
    }

    /// Reads every form of number.
    @inline(never)
    private static func read(number: Span<UInt8>) -> Int128? {
        read(JSONReader.value(checked: number))?.sinceEpoch.attoseconds
    }

    /// The number that eight characters are, the first one in the lowest byte; nil unless all are digits.
    @inline(__always)
    private static func eightDigits(_ word: UInt64) -> Int64? {
        guard JSONScanner.others(thanDigitsIn: word) == 0 else { return nil }
        // Neighbours are put together: to two digits each, to four, to eight.
        let twos = ((word & 0x0F0F_0F0F_0F0F_0F0F) &* (10 &<< 8 | 1)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (twos &* (100 &<< 16 | 1)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return Int64(truncatingIfNeeded: (fours &* (10_000 &<< 32 | 1)) &>> 32)
    }
}
