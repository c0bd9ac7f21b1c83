public import AuthKitCore

/// Keeps the requests of one token within the rate that the services allow it: ten a second for a developer token.
///
/// Waiting callers are let through in the order of their coming. How many may wait is bounded.
public actor RequestPace {
    private let time: any TimeSource
    private let start: Moment
    private let queueLimit: Int
    private var bucket: TokenBucket
    private var waiting = 0

    /// Makes a pace of so many requests a second, as many of them at once after a rest; at most `queueLimit` may wait.
    public init(perSecond: Int = 10, queueLimit: Int = 1000, time: any TimeSource = SystemTime()) {
        self.time = time
        self.queueLimit = queueLimit
        start = time.now
        bucket = TokenBucket(perSecond: Double(max(1, perSecond)), burst: max(1, perSecond))
    }

    /// Waits until another request may be sent.
    ///
    /// Throws `unavailable` when too many wait already, and `CancellationError`; a place that was taken stays taken.
    public func turn() async throws {
        try Task.checkCancellation()
        let now = nanoseconds
        let wait = bucket.nextTake - now
        guard wait > 0 else { return bucket.take(at: now) }
        guard waiting < queueLimit else {
            throw NianticError(
                .unavailable,
                "Too many requests wait for their turn with this token already; send fewer.",
                remedy: .retry(after: .nanoseconds(wait)),
                delivery: .notSent
            )
        }
        // Taken for the time that it will be, so that who comes next waits longer.
        bucket.take(at: now + wait)
        waiting += 1
        defer { waiting -= 1 }
        try await time.sleep(for: .nanoseconds(wait))
    }

    private var nanoseconds: Int64 {
        let parts = time.now.since(start).components
        return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
    }
}
