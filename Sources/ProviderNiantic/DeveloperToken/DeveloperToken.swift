public import AuthKitCore

/// A developer token: made in Scaniverse web for an organization, pasted as the NSDK access token, never renewed.
///
/// It is looked at, so that a placeholder or another kind of token is found before it is used; its signature is the
/// service's to check.
public struct DeveloperToken: Sendable, Hashable {
    /// The lifetimes that can be chosen: 7, 14, 30, 60 and 90 days.
    public static let lifetimes: ClosedRange<Duration> = .seconds(7 * 86_400)...(.seconds(90 * 86_400))
    /// What a service's clock and rounding may add or take.
    private static let tolerance = Duration.seconds(3600)

    /// The token.
    public let value: Secret
    /// When it ends.
    public let expiresAt: WallTime
    /// When it was made, where it says.
    public let issuedAt: WallTime?
    /// What it says of itself.
    public let info: AuthInfo

    /// Reads a token; throws `invalid_developer_token` saying what is wrong, and `developer_token_ended`.
    ///
    /// Checked are three parts, none empty, JSON objects in base64url for header and payload, an `exp` that lies ahead,
    /// and a lifetime within the range. `insecureLifetimes` takes any lifetime, for what Niantic may offer later.
    public init(_ text: Secret, at now: WallTime, insecureLifetimes: Bool = false) throws(NianticError) {
        let trimmed = Secret(text.reveal().trimmingSpaces())
        guard JSONAnswer.isToken(trimmed.reveal()), let claims = TokenClaims(trimmed),
            let info = AuthInfo(accessToken: trimmed)
        else {
            throw Self.invalid("it must have three parts, with JSON in base64url for the first two")
        }
        guard let end = claims.expiresAt else { throw Self.invalid("it does not say when it ends") }
        guard end > now else {
            throw NianticError(
                .developerTokenEnded,
                "The developer token ended on \(end) and cannot be renewed; make a new one in Scaniverse web.",
                remedy: .fixConfiguration
            )
        }
        // Without `iat` only what is left is known, which is no less than nothing and no more than all.
        let lifetime = end - (claims.issuedAt ?? now)
        let least = claims.issuedAt == nil ? Duration.zero : Self.lifetimes.lowerBound - Self.tolerance
        guard insecureLifetimes || lifetime >= least && lifetime <= Self.lifetimes.upperBound + Self.tolerance else {
            throw Self.invalid("developer tokens live 7 to 90 days, this one \(lifetime.components.seconds / 86_400)")
        }
        value = trimmed
        expiresAt = end
        issuedAt = claims.issuedAt
        self.info = info
    }

    /// Whole days until it ends, rounded down.
    public func daysLeft(at now: WallTime) -> Int64 { max(0, (expiresAt - now).components.seconds / 86_400) }

    private static func invalid(_ why: String) -> NianticError {
        NianticError(
            .invalidDeveloperToken,
            "What was given is no developer token: \(why); copy the whole token from Scaniverse web.",
            remedy: .fixConfiguration
        )
    }
}
