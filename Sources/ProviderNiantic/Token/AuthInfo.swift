public import AuthKitCore

/// What an NSDK access token says of itself, field by field as the NSDK's own `AuthInfo` has it.
///
/// Nothing is verified: fit for timing and for showing. Texts that are not there are empty. Times are 64 bits, since
/// those of the NSDK end in 2038. A developer token belongs to an organization and may name nobody.
public struct AuthInfo: Sendable, Hashable {
    /// Where the NSDK's user identifier may stand in a token, first come first served.
    ///
    /// The claim's name is not documented. One that begins with a slash is the end of a longer name.
    public static let usualUserIDClaims = ["user_id", "userId", "uid", "/user_id"]

    /// The access token.
    public let token: Secret
    /// When it ends, in seconds since 1970; 0 where it does not say, which counts as ended.
    public let expirationTime: Int64
    /// When it was issued, in seconds since 1970; 0 where it does not say.
    public let issuedAtTime: Int64
    /// The user's identifier at Niantic.
    public let userId: String
    /// The subject (`sub`).
    public let subject: String
    /// The person's name.
    public let name: String
    /// The person's e-mail address.
    public let email: String
    /// Who issued it (`iss`).
    public let issuer: String
    /// Whom it is for (`aud`): the first where there are several.
    public let audience: String

    /// Takes a token apart; nil when it is no JWT.
    ///
    /// `userIDClaims` are the names that `userId` is looked for under.
    public init?(accessToken: Secret, userIDClaims: [String] = Self.usualUserIDClaims) {
        guard let claims = TokenClaims(accessToken) else { return nil }
        token = accessToken
        expirationTime = claims.expiresAt?.seconds ?? 0
        issuedAtTime = claims.issuedAt?.seconds ?? 0
        userId = claims.first(of: userIDClaims) ?? ""
        subject = claims.text("sub") ?? ""
        name = claims.text("name") ?? ""
        email = claims.text("email") ?? ""
        issuer = claims.text("iss") ?? ""
        audience = claims.audience ?? ""
    }

    /// Whether it has ended or ends within a time, a minute by default; what ends nobody knows when has ended.
    ///
    /// The vendor's clients differ at the very boundary: here a token with exactly that time left counts as expiring.
    public func isExpiredOrExpiringSoon(at now: WallTime, within lead: Duration = .seconds(60)) -> Bool {
        expirationTime <= 0 || WallTime(seconds: expirationTime) - now <= lead
    }
}
