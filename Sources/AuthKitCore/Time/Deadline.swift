/// A bound on the boot clock, passed down through every step of a call.
public struct Deadline: Sendable, Hashable {
    private let start: Moment
    private let limit: Duration

    /// Ends a duration from now.
    public init(_ limit: Duration, from now: Moment) {
        start = now
        self.limit = limit
    }

    /// What is left, zero when it has passed.
    public func remaining(at now: Moment) -> Duration {
        max(.zero, limit - now.since(start))
    }

    /// Whether it has passed.
    public func hasPassed(at now: Moment) -> Bool { remaining(at: now) == .zero }
}
