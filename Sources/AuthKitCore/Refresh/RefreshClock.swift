/// One clock made of two: it runs as the boot clock does, suspend included, and tells when the wall clock was stepped.
struct RefreshClock: Sendable {
    /// A smaller difference between the two clocks is drift, which adds up until it is one.
    static let stepThreshold = Duration.seconds(1).nanoseconds

    /// Nanoseconds since the clock was made.
    private(set) var elapsed: Int64 = 0
    private var last: ClockReading
    /// Where the wall clock stood when it was last in step, and when that was.
    private var reference: (wall: Int64, elapsed: Int64)
    /// The boot that the last moment named, and what stands for it.
    private var boot: (name: String, mark: Int)

    init(_ now: Moment) {
        last = ClockReading(now)
        reference = (last.wall, 0)
        boot = (now.boot, last.boot)
    }

    /// Takes a reading; by how much the wall clock was stepped, if it was.
    ///
    /// A reading from before the last one, which came late, changes nothing.
    mutating func read(_ now: Moment) -> Duration? {
        if now.boot != boot.name { boot = (now.boot, ClockReading.mark(of: now.boot)) }
        return read(
            ClockReading(
                wall: now.wall.sinceEpoch.clampedNanoseconds,
                sinceBoot: now.sinceBoot.clampedNanoseconds,
                boot: boot.mark
            )
        )
    }

    /// Takes a reading made of plain numbers.
    @inline(__always)
    mutating func read(_ now: ClockReading) -> Duration? {
        now == last ? nil : take(now)
    }

    @inline(never)
    private mutating func take(_ now: ClockReading) -> Duration? {
        let isSameBoot = now.boot == last.boot
        let passed =
            (isSameBoot
            ? now.sinceBoot.clampedDifference(from: last.sinceBoot)
            : now.wall.clampedDifference(from: last.wall)).clampedToCentury
        guard passed >= 0 || !isSameBoot else { return nil }
        elapsed += max(0, passed)
        last = now
        let step = now.wall.clampedDifference(from: reference.wall).clampedToCentury - (elapsed - reference.elapsed)
        guard abs(step) >= Self.stepThreshold || !isSameBoot else { return nil }
        reference = (now.wall, elapsed)
        return .nanoseconds(step)
    }
}
