/// One clock made of two: it runs as the boot clock does, suspend included, and tells when the wall clock was stepped.
struct RefreshClock: Sendable {
    /// A smaller difference between the two clocks is drift, which adds up until it is one.
    static let stepThreshold = Duration.seconds(1).nanoseconds

    /// Nanoseconds since the clock was made.
    private(set) var elapsed: Int64 = 0
    private var last: Moment
    /// Where the wall clock stood when it was last in step, and when that was.
    private var reference: (wall: WallTime, elapsed: Int64)

    init(_ now: Moment) {
        last = now
        reference = (now.wall, 0)
    }

    /// The name of the boot that it runs on.
    var boot: String { last.boot }

    /// Takes a reading; by how much the wall clock was stepped, if it was.
    ///
    /// A reading from before the last one, which came late, changes nothing.
    mutating func read(_ now: Moment) -> Duration? {
        guard now != last else { return nil }
        let isSameBoot = now.boot == last.boot
        let passed = isSameBoot ? (now.sinceBoot - last.sinceBoot).nanoseconds : now.since(last).nanoseconds
        guard passed >= 0 || !isSameBoot else { return nil }
        elapsed += max(0, passed)
        last = now
        let step = (now.wall - reference.wall).nanoseconds - (elapsed - reference.elapsed)
        guard abs(step) >= Self.stepThreshold || !isSameBoot else { return nil }
        reference = (now.wall, elapsed)
        return .nanoseconds(step)
    }
}
