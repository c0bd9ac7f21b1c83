internal import AuthKitCore

/// Reads `expires_in`, tolerantly in form and strictly in value.
enum TokenLifetime {
    /// Nothing lives longer than ten years; what claims to has no usable lifetime.
    static let longest = Duration.seconds(3650 * 86_400)

    /// When an access token ends: by `expires_in`, else by the token's own `exp` as a hint, else unknown.
    static func expiry(_ object: JSONObject, token: String, receivedAt: Moment) -> Expiry {
        if let lifetime = lifetime(object["expires_in"], named: "expires_in") {
            return .after(lifetime, from: receivedAt)
        }
        // For timing only: an issuer may change the form of its access tokens at any time (RFC 9068 §6).
        return UnverifiedJWT.expiryHint(of: Secret(token)).map(Expiry.at) ?? .unknown
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
