internal import AuthKitCore

/// Reads `expires_in`, tolerantly in form and strictly in value.
enum TokenLifetime {
    /// Nothing lives longer than ten years; what claims to has no usable lifetime.
    static let longest = Duration.seconds(3650 * 86_400)

    /// When an access token ends: the earlier of `expires_in` and the token's own `exp`, unknown where neither is said.
    ///
    /// An issuer that rounds `exp` down ends its tokens up to a second before `expires_in`. An `exp` that has passed when
    /// the token comes tells of a wrong local clock, not of the token, and counts only where nothing else is known.
    static func expiry(_ object: JSONObject, token: String, receivedAt: Moment) -> Expiry {
        // For timing only: an issuer may change the form of its access tokens at any time (RFC 9068 §6).
        let hint = UnverifiedJWT.expiryHint(of: Secret(token))
        guard let lifetime = lifetime(object["expires_in"], named: "expires_in") else {
            return hint.map(Expiry.at) ?? .unknown
        }
        return .after(lifetime, from: receivedAt).orEarlier(at: hint.flatMap { $0 > receivedAt.wall ? $0 : nil })
    }

    /// When a refresh token ends, which some issuers say under either of two names.
    static func refreshExpiry(_ object: JSONObject, _ receivedAt: Moment) -> Expiry {
        for name in ["refresh_token_expires_in", "refresh_expires_in"] {
            // Zero means without end where it is written at all.
            guard let lifetime = lifetime(object[name], named: name), lifetime > .zero else { continue }
            return .after(lifetime, from: receivedAt)
        }
        return .unknown
    }

    /// An integer, a decimal or a number in a string; nil, with a note, when it is negative, absurd or none.
    private static func lifetime(_ value: JSONValue?, named name: String) -> Duration? {
        guard let value, !value.isNull else { return nil }
        let number: JSONNumber? =
            switch value {
            case .number(let number): number
            case .string(let text): (try? JSONValue(parsing: Array(text.trimmingSpaces().utf8)))?.number
            default: nil
            }
        guard let seconds = number?.seconds, seconds >= .zero, seconds <= longest else {
            Trace.note("The answer's \(name) is no usable number of seconds and is ignored.")
            return nil
        }
        return seconds
    }
}
