/// How long to wait after a failure: exponential with full jitter, bounded; what the other side asks for wins.
public struct Backoff: Sendable, Hashable {
    /// The longest pause after the first failure; it doubles with each.
    public var first: Duration
    /// The longest pause of all.
    public var limit: Duration
    /// The shortest pause.
    public var least: Duration
    /// The longest pause that the other side may ask for.
    public var retryAfterLimit: Duration

    /// Makes a rule.
    public init(
        first: Duration = .seconds(2),
        limit: Duration = .seconds(300),
        least: Duration = .milliseconds(250),
        retryAfterLimit: Duration = .seconds(3600)
    ) {
        self.first = first
        self.limit = limit
        self.least = least
        self.retryAfterLimit = retryAfterLimit
    }

    /// Draws the pause after so many failures in a row, counted from 1.
    ///
    /// Full jitter: anything up to the bound is as likely. With a `Retry-After` (RFC 9110 §10.2.3) it is never shorter
    /// than that, up to its limit, and up to `first` longer, so that those who were told the same do not come together.
    public func delay(
        afterFailures count: Int,
        retryAfter: Duration? = nil,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let part = Double.random(in: 0...1, using: &generator)
        if let retryAfter {
            return max(least, min(retryAfter, retryAfterLimit) + first * part)
        }
        return max(least, bound(afterFailures: count) * part)
    }

    private func bound(afterFailures count: Int) -> Duration {
        var bound = first
        for _ in 1..<max(1, min(count, 64)) where bound < limit { bound *= 2 }
        return min(bound, limit)
    }
}
