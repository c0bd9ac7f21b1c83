/// What a JSON number's literal means, by moving its digits about as text.
struct ReferenceNumber {
    private let isNegative: Bool
    /// The digits without zeros in front and behind, and how many of them are before the point.
    private let digits: String
    private let point: Int

    /// Takes a literal; nil when its exponent is beyond 24 bits, where ours gives no promise.
    init?(_ literal: String) {
        let halves = literal.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = halves[0].drop { $0 == "-" }
        let parts = mantissa.split(separator: ".", maxSplits: 1)
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        let all = String(parts[0]) + fraction
        let significant = all.drop { $0 == "0" }
        isNegative = literal.hasPrefix("-")
        digits = String(String(significant.reversed()).drop { $0 == "0" }.reversed())
        let exponent = halves.count == 2 ? Int(halves[1]) : 0
        guard digits.isEmpty || (exponent ?? .max).magnitude < 1 << 24 else { return nil }
        point = digits.isEmpty ? 0 : parts[0].count - (all.count - significant.count) + (exponent ?? 0)
    }

    /// The value when it is whole and in range.
    var int64: Int64? { digits.count <= point || digits.isEmpty ? whole : nil }

    /// The value cut below 10^-18; nil when the whole part is out of range.
    var seconds: Duration? {
        guard let whole else { return nil }
        let padded = String(repeating: "0", count: min(max(-point, 0), 18)) + digits.dropFirst(max(point, 0))
        let fraction = padded.prefix(18)
        let text = fraction + String(repeating: "0", count: 18 - fraction.count)
        guard let attoseconds = Int64((isNegative ? "-" : "") + text) else { return nil }
        return Duration(secondsComponent: whole, attosecondsComponent: attoseconds)
    }

    private var whole: Int64? {
        guard point > 0 else { return 0 }
        guard point <= 19 else { return nil }
        let text = digits.prefix(point) + String(repeating: "0", count: max(point - digits.count, 0))
        return Int64((isNegative ? "-" : "") + text)
    }
}
