/// What is assumed of the identity service where nothing is documented; each can be set otherwise.
///
/// The values are the cautious ones: no status but a plain refusal ends a sign-in, and a token is kept as long as it may
/// still be good.
public struct IdentityAssumptions: Sendable, Hashable {
    /// What a cookie of the session token means that is missing from an answer, or deleted by one.
    public enum CookieMeaning: Sendable, Hashable {
        /// The token that was sent stays good, unless it has ended.
        case keepsToken
        /// The service has ended the session.
        case endsSession
    }

    /// What a page for people means that comes with a status of `refusalStatuses`.
    public enum PageMeaning: Sendable, Hashable {
        /// Nothing: a proxy, a filter or a portal made it, so that trying again may help.
        case nobodysWord
        /// The same as the status alone.
        case refusal
    }

    /// What a session or NSDK refresh token is worth of which nobody says when it ends.
    public enum UndatedToken: Sendable, Hashable {
        /// It is used until the service refuses it.
        case usable
        /// It has ended: the next step that would use it is not made.
        case ended
    }

    /// Whom the NSDK's refresh and access tokens name.
    public enum NSDKSubject: Sendable, Hashable {
        /// Nobody knows: no such token is held to the session's account.
        case anybody
        /// The session token's `sub`: a token that names another is not used. One without `sub` is.
        case sessionSubject
    }

    /// The statuses by which the service refuses what was sent to it, so that only another token or key helps.
    public var refusalStatuses: Set<Int> = [400, 401, 403]
    /// The statuses that mean "not now", beside 5xx, which always does.
    ///
    /// 409 and 423 are said while something is being processed. Where a status stands in both sets, it passes.
    public var transientStatuses: Set<Int> = [408, 409, 423, 425, 429]
    /// The values of `error` that are about the request itself, so that another token does not help.
    ///
    /// They are those of RFC 6749 §5.2 without `invalid_request`, which some services say of a token.
    public var configurationErrors: Set<String> = ["unsupported_grant_type", "invalid_client", "unauthorized_client"]
    /// The values of `error` that mean "not now", whatever the status.
    public var transientErrors: Set<String> = [
        "temporarily_unavailable", "slow_down", "server_error", "request_in_progress", "being_processed",
    ]
    /// What a page for people means that comes with a refusal's status.
    public var refusalPage: PageMeaning = .nobodysWord
    /// What a token is worth of which nobody says when it ends; access tokens count as ended.
    public var undatedToken: UndatedToken = .usable
    /// What an answer without the session token's cookie means.
    public var missingCookie: CookieMeaning = .keepsToken
    /// What an empty or ended cookie of that name means.
    public var deletedCookie: CookieMeaning = .endsSession
    /// How long a service account's token lives whose answer and claims do not say: an hour, as documented.
    public var promisedLifetime: Duration = .seconds(3600)
    /// Whom the tokens of steps 2 and 3 name; they come over TLS from the service that was sent the session token.
    public var nsdkSubject: NSDKSubject = .anybody
    /// By how much the session token of a callback may have ended already, for a local clock that is ahead; zero or more.
    public var callbackLeeway: Duration = .zero

    /// Makes the values above.
    public init() {}

    /// Whether a status says "not now".
    func isTransient(_ status: Int) -> Bool { transientStatuses.contains(status) || status >= 500 || status < 200 }

    /// What cannot be meant, in a sentence; nil where all can.
    var fault: String? {
        guard callbackLeeway >= .zero, promisedLifetime >= .zero else {
            return "The leeway of callbacks and the promised lifetime must not be negative."
        }
        // A success, a redirect or a server's fault is never a refusal of the token.
        guard refusalStatuses.allSatisfy((400..<500).contains) else {
            return "The statuses of a refusal must lie between 400 and 499."
        }
        return nil
    }
}
