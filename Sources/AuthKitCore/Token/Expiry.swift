/// When something ends: unknown, never, or the earliest of what is known.
///
/// A lifetime is counted from the `Moment` of its receipt (on the boot clock while the boot lasts); an absolute time
/// is judged on the wall clock. A sender's `exp` of a token that we hold is such a hint: for timing, never for trust.
public struct Expiry: Sendable, Hashable {
    /// What is left at some moment.
    public enum Remaining: Sendable, Hashable {
        /// Nobody said.
        case unknown
        /// It does not end.
        case never
        /// It ends after this long; zero or less when it has ended.
        case lasts(Duration)
    }

    /// A lifetime and the reading at which it began.
    public struct Lifetime: Sendable, Hashable {
        /// How long it lasts.
        public let duration: Duration
        /// When it began.
        public let from: Moment

        /// Makes a lifetime.
        public init(_ duration: Duration, from: Moment) {
            self.duration = duration
            self.from = from
        }
    }

    /// The lifetime hint, such as `expires_in`.
    public private(set) var lifetime: Lifetime?
    /// The earliest absolute hint, such as `exp` or `expires_at`.
    public private(set) var wall: WallTime?
    private var endless = false

    private init() {}

    /// Nobody said when.
    public static let unknown = Expiry()

    /// It does not end.
    ///
    /// Different from `unknown`.
    public static let never: Expiry = {
        var expiry = Expiry()
        expiry.endless = true
        return expiry
    }()

    /// Ends a duration after a reading of the clocks.
    public static func after(_ duration: Duration, from moment: Moment) -> Expiry {
        var expiry = Expiry()
        expiry.lifetime = Lifetime(duration, from: moment)
        return expiry
    }

    /// Ends at a point in wall time.
    public static func at(_ time: WallTime) -> Expiry {
        var expiry = Expiry()
        expiry.wall = time
        return expiry
    }

    /// Adds an absolute hint: the earlier one counts.
    public func orEarlier(at time: WallTime?) -> Expiry {
        guard let time else { return self }
        var expiry = self
        expiry.endless = false
        expiry.wall = wall.map { min($0, time) } ?? time
        return expiry
    }

    /// The same end on this machine's clock, where the clock that absolute hints were written by is so far ahead of it.
    ///
    /// A lifetime stays as it is: it was counted here.
    public func corrected(by ahead: Duration) -> Expiry {
        var expiry = self
        expiry.wall = wall.map { $0 - ahead }
        return expiry
    }

    /// The same end, with an absolute hint counted as a lifetime from a receipt as well: the earlier one counts.
    ///
    /// So that a wall clock which is set back later gives no token a longer life.
    func counted(from receipt: Moment?) -> Expiry {
        guard !endless, let wall, let from = lifetime?.from ?? receipt else { return self }
        var expiry = self
        let rest = wall - from.wall
        expiry.lifetime = Lifetime(lifetime.map { min($0.duration, rest) } ?? rest, from: from)
        return expiry
    }

    /// Whether nobody said.
    public var isUnknown: Bool { !endless && lifetime == nil && wall == nil }

    /// Whether it is known not to end.
    public var isNever: Bool { endless }

    /// What is left at a reading of the clocks: the least of the hints.
    public func remaining(at now: Moment) -> Remaining {
        if endless { return .never }
        let byLifetime = lifetime.map { $0.duration - now.since($0.from) }
        let byWall = wall.map { $0 - now.wall }
        return [byLifetime, byWall].compactMap(\.self).min().map(Remaining.lasts) ?? .unknown
    }

    /// The end as a wall time on the local clock, where one is known.
    public func wallTime(at now: Moment) -> WallTime? {
        guard case .lasts(let rest) = remaining(at: now) else { return nil }
        return now.wall + rest
    }

    /// Whether it lasts for a duration more; unknown counts as lasting, since only its use can tell.
    public func lasts(for duration: Duration, at now: Moment) -> Bool {
        guard case .lasts(let rest) = remaining(at: now) else { return true }
        return rest > .zero && rest >= duration
    }
}
