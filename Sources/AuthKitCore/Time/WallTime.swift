/// A point in wall time: nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct WallTime: Sendable, Hashable, Comparable {
    /// The time since 1970, negative before it.
    public var sinceEpoch: Duration

    /// Makes the point that lies a duration after 1970.
    public init(sinceEpoch: Duration) {
        self.sinceEpoch = sinceEpoch
    }

    /// Makes the point that lies whole seconds after 1970.
    public init(seconds: Int64) {
        sinceEpoch = .seconds(seconds)
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 {
        let parts = sinceEpoch.components
        return parts.attoseconds < 0 ? parts.seconds - 1 : parts.seconds
    }

    /// Orders points by time.
    public static func < (left: WallTime, right: WallTime) -> Bool { left.sinceEpoch < right.sinceEpoch }

    /// Moves a point by a duration.
    public static func + (time: WallTime, offset: Duration) -> WallTime {
        WallTime(sinceEpoch: time.sinceEpoch + offset)
    }

    /// Moves a point back by a duration.
    public static func - (time: WallTime, offset: Duration) -> WallTime {
        WallTime(sinceEpoch: time.sinceEpoch - offset)
    }

    /// Measures the duration between two points.
    public static func - (left: WallTime, right: WallTime) -> Duration { left.sinceEpoch - right.sinceEpoch }
}

extension WallTime: CustomStringConvertible {
    /// The point as RFC 3339 in UTC, to the second: `2026-12-01T12:00:00Z`.
    public var description: String {
        let (days, second) = seconds.flooredDivision(by: 86_400)
        let (year, month, day) = Self.civil(daysSinceEpoch: days)
        let padded = { (value: Int64, width: Int) in
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        return "\(date)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
    }

    /// Gregorian date of a day number (days from civil, proleptic; valid far beyond 2038).
    private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        let dayOfEra = era.remainder
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era.quotient * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    /// Divides rounding towards negative infinity.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = self % divisor
        return remainder < 0 ? (self / divisor - 1, remainder + divisor) : (self / divisor, remainder)
    }
}
