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

    /// Measures the time since an earlier reading, as `Moment.since` does.
    func since(_ earlier: ClockReading) -> Duration {
        let isSameBoot = boot != 0 && boot == earlier.boot
        let (now, then) = isSameBoot ? (sinceBoot, earlier.sinceBoot) : (wall, earlier.wall)
        let (difference, overflows) = now.subtractingReportingOverflow(then)
        return .nanoseconds(overflows ? (now < 0 ? .min : .max) : difference)
    }

    /// What stands for a boot's identifier; zero for none.
    static func mark(of boot: String) -> Int { boot.isEmpty ? 0 : boot.hashValue | 1 }
}

extension Duration {
    /// Whole nanoseconds, as far as 64 bits go.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard tooLarge || overflows else { return sum }
        return seconds < 0 ? .min : .max
    }
}
