internal import AuthKitCore

/// Finds out when a token ends, from its answer and from itself.
///
/// The earlier of `expiresAt` and the token's own `exp`; where neither is there `expiresIn`; then what the flow
/// promises. What ends nobody knows when counts as ended, so that it is used once and never taken for fresh.
enum AnswerExpiry {
    /// Times beyond this are milliseconds: in seconds it lies in the year 5138.
    private static let latestSeconds = Duration.seconds(100_000_000_000)
    /// Nothing lives longer than ten years; what claims to has no usable lifetime.
    private static let longest = Duration.seconds(3650 * 86_400)

    /// When an access token ends.
    static func ofAccess(
        _ token: Secret,
        expiresAt: JSONValue?,
        expiresIn: JSONValue? = nil,
        promised: Duration? = nil,
        receivedAt: Moment
    ) -> Expiry {
        let known = earliest(time(expiresAt), TokenClaims(token)?.expiresAt)
        if let known { return .at(known) }
        if let lifetime = lifetime(expiresIn) { return .after(lifetime, from: receivedAt) }
        return .after(promised ?? .zero, from: receivedAt)
    }

    /// When a longer-lived token ends, as it says itself; unknown where it does not, since only its use can tell.
    static func ofRenewable(_ token: Secret) -> Expiry {
        TokenClaims(token)?.expiresAt.map(Expiry.at) ?? .unknown
    }

    /// The same, by the answer that is the token's too.
    static func ofRenewable(_ token: Secret, in object: JSONObject, receivedAt: Moment) -> Expiry {
        if let known = earliest(time(object["expiresAt"]), TokenClaims(token)?.expiresAt) { return .at(known) }
        return lifetime(object["expiresIn"]).map { .after($0, from: receivedAt) } ?? .unknown
    }

    /// A point in time: whole or fractional seconds since 1970, as a number or as digits; milliseconds when far too late.
    static func time(_ value: JSONValue?) -> WallTime? {
        guard var duration = number(value) else { return nil }
        if duration > latestSeconds { duration /= 1000 }
        guard duration > .zero, duration <= latestSeconds else { return nil }
        return WallTime(sinceEpoch: duration)
    }

    private static func lifetime(_ value: JSONValue?) -> Duration? {
        number(value).flatMap { $0 >= .zero && $0 <= longest ? $0 : nil }
    }

    private static func number(_ value: JSONValue?) -> Duration? {
        switch value {
        case .number(let number): number.seconds
        case .string(let text): (try? JSONValue(parsing: Array(text.trimmingSpaces().utf8)))?.number?.seconds
        default: nil
        }
    }

    private static func earliest(_ times: WallTime?...) -> WallTime? { times.compactMap(\.self).min() }
}
