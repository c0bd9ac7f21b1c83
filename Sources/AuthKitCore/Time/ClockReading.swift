/// One reading of the clocks as plain numbers, for what is asked again and again.
public struct ClockReading: Sendable, Hashable {
    /// Nanoseconds since 1970 on the wall clock.
    public let wall: Int64
    /// Nanoseconds since boot, suspend included.
    public let sinceBoot: Int64
    /// Tells the boots apart that a process can know of; zero where the system does not name them.
    public let boot: Int

    /// Makes a reading.
    public init(wall: Int64, sinceBoot: Int64, boot: Int) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.boot = boot
    }

    /// Takes a moment's clocks; what is beyond 292 years is as far as the numbers go.
    public init(_ moment: Moment) {
        self.init(
            wall: moment.wall.sinceEpoch.clampedNanoseconds,
            sinceBoot: moment.sinceBoot.clampedNanoseconds,
            boot: Self.mark(of: moment.boot)
        )
    }

    /// Measures the time since an earlier reading in nanoseconds, as `Moment.since` does.
    func nanoseconds(since earlier: ClockReading) -> Int64 {
        boot != 0 && boot == earlier.boot
            ? sinceBoot.clampedDifference(from: earlier.sinceBoot)
            : wall.clampedDifference(from: earlier.wall)
    }

    /// What stands for a boot's identifier; zero for none.
    static func mark(of boot: String) -> Int { boot.isEmpty ? 0 : boot.hashValue | 1 }
}

extension Duration {
    /// Whole nanoseconds, towards zero, as far as 64 bits go.
    var clampedNanoseconds: Int64 {
        let attoseconds = attoseconds
        let whole = attoseconds.magnitude.dividedByGiga
        guard let whole, whole <= UInt64(Int64.max) else { return attoseconds < 0 ? .min : .max }
        return attoseconds < 0 ? -Int64(whole) : Int64(whole)
    }
}

extension UInt128 {
    /// A thousand-millionth of it; nil where that does not fit.
    ///
    /// Without the general division of 128 bits, which costs more than the rest of what a timer is armed with.
    fileprivate var dividedByGiga: UInt64? {
        // 10^9 is 2^9 times 5^9; the latter has 21 bits, so that a rest and 43 more digits fit 64.
        guard self >> 93 == 0 else { return nil }
        let five: UInt64 = 1_953_125
        let digits: UInt64 = 43
        let scaled = self >> 9
        let high = UInt64(truncatingIfNeeded: scaled >> 43)
        let low = UInt64(truncatingIfNeeded: scaled) & (1 << digits - 1)
        let (quotient, rest) = high.quotientAndRemainder(dividingBy: five)
        return quotient << digits + (rest << digits | low) / five
    }
}

extension Int64 {
    /// What is left after taking another number away, as far as 64 bits go.
    func clampedDifference(from other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (self < 0 ? .min : .max) : difference
    }
}
