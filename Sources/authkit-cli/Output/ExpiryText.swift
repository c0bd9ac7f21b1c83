internal import AuthKitCore

/// An expiry as output has it: a time on the local clock and whole seconds, or null where unknown.
struct ExpiryText: Sendable {
    /// `expires_at`.
    let at: JSONValue
    /// `expires_in`; zero once it has ended.
    let left: JSONValue
    /// For people.
    let words: String

    /// Reads an expiry at a reading of the clocks.
    init(_ expiry: Expiry, now: Moment) {
        switch expiry.remaining(at: now) {
        case .unknown:
            (at, left, words) = (.null, .null, "nobody said until when")
        case .never:
            (at, left, words) = (.null, .null, "without end")
        case .lasts(let rest):
            let time = expiry.shownTime(at: now) ?? now.wall + rest
            at = .string(time.description)
            left = .integer(max(0, rest.components.seconds))
            words = rest > .zero ? "\(time), \(Self.span(rest)) left" : "\(time), ended \(Self.span(.zero - rest)) ago"
        }
    }

    /// A duration in its two largest units.
    static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        case ..<86_400: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }
}

extension Expiry {
    /// The end as every command shows it: to the nearest second, where one is known.
    ///
    /// Two readings of the clocks are never quite alike, so that an end at a full second would be shown as that second
    /// or as the one before it, now one and now the other.
    func shownTime(at now: Moment) -> WallTime? {
        wallTime(at: now).map { WallTime(seconds: ($0 + .milliseconds(500)).seconds) }
    }
}
