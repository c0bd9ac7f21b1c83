/// A limit on a rate: so many a second, so many at once after a rest.
///
/// Kept as one number, the time at which the bucket would be full (the generic cell rate algorithm): in any span of
/// time no more are taken than the burst and the rate times the span. Times are nanoseconds of the owner's clock.
package struct TokenBucket: Sendable {
    private let interval: Int64
    private let tolerance: Int64
    private var full: Int64 = 0
    private var pausedUntil = Int64.min

    /// Makes a full bucket.
    package init(perSecond: Double, burst: Int) {
        interval = max(1, Int64(1e9 / min(max(perSecond, 0.001), 1e9)))
        tolerance = interval * Int64(min(max(0, burst - 1), 1_000_000))
    }

    /// The first time at which one may be taken.
    package var nextTake: Int64 { max(full - tolerance, pausedUntil) }

    /// Whether nothing is held against whoever takes next.
    package func isFull(at now: Int64) -> Bool { full <= now && pausedUntil <= now }

    /// Takes one, which `nextTake` must have allowed.
    package mutating func take(at now: Int64) {
        full = max(full, now) + interval
    }

    /// Gives one back that was not used.
    package mutating func giveBack() {
        full -= interval
    }

    /// Lets none be taken before a time, and then no burst.
    package mutating func pause(until time: Int64) {
        pausedUntil = max(pausedUntil, time)
        full = max(full, time + tolerance)
    }
}
