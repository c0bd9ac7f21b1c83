/// An access token as it is handed out, with its ends as numbers to compare with a reading of the clocks.
final class ReadyToken: Sendable {
    /// The token, its end on this machine's clock.
    let token: HeldToken
    /// The end of its lifetime on the boot clock, and the boot that this counts in.
    private let bootEnd: Int64
    private let boot: Int
    /// The end of its lifetime on the wall clock, which counts in another boot.
    private let lifetimeWallEnd: Int64
    /// The absolute end.
    private let wallEnd: Int64

    /// No end at all: never reached, however long a token must last.
    private static let none = Int64.max

    init(_ token: HeldToken) {
        self.token = token
        let expiry = token.expiry
        if let lifetime = expiry.lifetime, !expiry.isNever {
            bootEnd = (lifetime.from.sinceBoot + lifetime.duration).clampedNanoseconds
            boot = ClockReading.mark(of: lifetime.from.boot)
            lifetimeWallEnd = (lifetime.from.wall + lifetime.duration).sinceEpoch.clampedNanoseconds
        } else {
            (bootEnd, boot, lifetimeWallEnd) = (Self.none, 0, Self.none)
        }
        wallEnd = expiry.isNever ? Self.none : expiry.wall?.sinceEpoch.clampedNanoseconds ?? Self.none
    }

    /// The same judgement as `Expiry.lasts`.
    func lasts(for duration: Duration, at reading: ClockReading) -> Bool {
        let isSameBoot = boot != 0 && boot == reading.boot
        let byLifetime =
            isSameBoot ? Self.rest(bootEnd, reading.sinceBoot) : Self.rest(lifetimeWallEnd, reading.wall)
        let rest = min(byLifetime, Self.rest(wallEnd, reading.wall))
        return rest == Self.none || (rest > 0 && .nanoseconds(rest) >= duration)
    }

    private static func rest(_ end: Int64, _ now: Int64) -> Int64 {
        guard end != none else { return none }
        let (rest, overflows) = end.subtractingReportingOverflow(now)
        return overflows ? (end < 0 ? .min : none) : rest
    }
}
