/// A JSON number, kept as it was written: nothing is lost until somebody asks for a machine type.
public struct JSONNumber: Sendable, Hashable {
    /// The number as written.
    public let literal: String

    /// Makes a number of an integer.
    public init(_ value: some FixedWidthInteger) {
        literal = String(value)
    }

    /// Makes a number of a floating-point value; nil for infinities and NaN, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
    }

    /// Takes a literal that the reader has checked.
    init(checked literal: String) {
        self.literal = literal
    }

    /// The value when it is a whole number in range, however it is written: `10`, `10.0` and `1e1` are the same.
    public var int64: Int64? {
        if let value = Int64(literal) { return value }
        guard let decimal, decimal.isWhole else { return nil }
        return Int64(exactly: decimal.whole)
    }

    /// Whether it is below zero, however little.
    var isNegative: Bool {
        let mantissa = literal.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        return literal.utf8.first == UInt8(ascii: "-") && mantissa.contains { (UInt8(ascii: "1")...57).contains($0) }
    }

    /// The nearest floating-point value; nil when it is too large for one.
    public var double: Double? {
        guard let value = Double(literal), value.isFinite else { return nil }
        return value
    }

    /// The number as a duration in seconds, cut below the attosecond; nil when the whole part is beyond 64 bits.
    public var seconds: Duration? {
        guard let decimal, let seconds = Int64(exactly: decimal.whole) else { return nil }
        return Duration(secondsComponent: seconds, attosecondsComponent: decimal.attoseconds)
    }

    /// The whole part and 10^-18ths, both with the number's sign; nil when the whole part has more than 19 digits.
    ///
    /// A number is not whole either when only digits beyond the 18th are left.
    private var decimal: (whole: Int128, attoseconds: Int64, isWhole: Bool)? {
        var rest = Substring(literal)
        let isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        let mantissa = rest.prefix { $0 != "e" && $0 != "E" }
        let exponentText = rest.dropFirst(mantissa.count).dropFirst()
        let wholeDigits = mantissa.prefix { $0 != "." }
        let digits = Array((wholeDigits + mantissa.dropFirst(wholeDigits.count).dropFirst()).utf8)
        guard let first = digits.firstIndex(where: { $0 != UInt8(ascii: "0") }) else { return (0, 0, true) }
        // An exponent that does not fit an Int of modest size puts the number out of any range.
        guard let exponent = exponentText.isEmpty ? 0 : Int(exponentText), exponent.magnitude < 1 << 24 else {
            return nil
        }
        let point = wholeDigits.count + exponent
        guard point - first <= 19 else { return nil }
        var whole: Int128 = 0
        var fraction: Int64 = 0
        let digit = { (position: Int) -> UInt8 in
            digits.indices.contains(position) ? digits[position] - UInt8(ascii: "0") : 0
        }
        if first < point {
            for position in first..<point { whole = whole * 10 + Int128(digit(position)) }
        }
        for position in point..<point + 18 { fraction = fraction * 10 + Int64(digit(position)) }
        let isWhole = point > digits.lastIndex { $0 != UInt8(ascii: "0") } ?? 0
        return isNegative ? (-whole, -fraction, isWhole) : (whole, fraction, isWhole)
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as written.
    public var description: String { literal }
}
