#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// Nanoseconds on the clock that transfers are timed by; never stepped, independent of any `TimeSource`.
struct MonotonicTime: Comparable, Sendable {
    private let nanoseconds: Int64

    /// A time beyond every deadline.
    static let distantFuture = MonotonicTime(nanoseconds: .max)

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads the clock.
    static var now: MonotonicTime {
        var time = timespec()
        let result = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(result == 0, "CLOCK_MONOTONIC is always readable (POSIX)")
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time a duration later, at most the distant future.
    func advanced(by duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let (whole, tooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, beyond) = nanoseconds.addingReportingOverflow(whole)
        let (total, past) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard tooLong || beyond || past else { return MonotonicTime(nanoseconds: total) }
        return seconds < 0 ? MonotonicTime(nanoseconds: 0) : .distantFuture
    }

    /// Whole milliseconds until a later time, rounded up; zero when it has passed, and never more than `limit`.
    func milliseconds(until later: MonotonicTime, atMost limit: Int32) -> Int32 {
        guard later > self else { return 0 }
        let left = (later.nanoseconds - nanoseconds - 1) / 1_000_000 + 1
        return left > Int64(limit) ? limit : Int32(left)
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
