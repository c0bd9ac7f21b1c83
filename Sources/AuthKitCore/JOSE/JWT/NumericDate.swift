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
        guard member.kind == .number else { return nil }
        let digits = bytes.extracting(member.range)
        guard digits.count <= 15 else { return read(JSONReader.value(checked: digits)) }
        var seconds: Int64 = 0
        for index in digits.indices {
            let digit = digits[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return read(JSONReader.value(checked: digits)) }
            seconds = seconds &* 10 &+ Int64(digit)
        }
        return WallTime(sinceEpoch: .seconds(seconds))
    }
}
