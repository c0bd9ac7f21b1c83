/// Until when a claim on a due record holds, on the boot clock that all processes of a machine share.
///
/// Nothing steps that clock, and after another boot nobody is left who holds a claim.
package struct ClaimTerm: Sendable, Hashable {
    private static let longest: Duration = .seconds(30 * 86_400)

    /// Names the boot.
    package let boot: String
    /// Nanoseconds since that boot.
    package let end: Int64

    /// Ends a duration from now, 30 days at most.
    package init(_ duration: Duration, from now: Moment) {
        self.init(boot: now.boot, end: (now.sinceBoot + max(.zero, min(duration, Self.longest))).nanoseconds)
    }

    /// Takes what was kept.
    package init(boot: String, end: Int64) {
        self.boot = boot
        self.end = end
    }

    /// Whether it has not lapsed.
    package func holds(at now: Moment) -> Bool {
        boot == now.boot && end > now.sinceBoot.nanoseconds
    }
}
