/// One way to misbehave: where, how, and how many times.
public struct Fault: Sendable, Hashable {
    /// The place that misbehaves.
    public enum Point: String, Sendable, Hashable, CaseIterable {
        /// The metadata documents.
        case discovery
        /// The key set.
        case jwks
        /// The authorization endpoint.
        case authorize
        /// The token endpoint, when a code is redeemed.
        case token
        /// The token endpoint, when a refresh token is used.
        case refresh
        /// The userinfo endpoint.
        case userinfo
        /// The introspection endpoint.
        case introspect
        /// The revocation endpoint.
        case revoke
        /// The end-session endpoint.
        case endSession = "end-session"
        /// The NSDK's step 1, `refresh_user_session_access_token`.
        case nianticRotate = "niantic-rotate"
        /// The NSDK's step 2, `exchange_build_refresh_token`.
        case nianticRefresh = "niantic-refresh"
        /// The NSDK's step 3, `refresh_build_access_token`.
        case nianticAccess = "niantic-access"
        /// A service account's `exchange_api_key_access_token`.
        case nianticKey = "niantic-key"
        /// The app's own back end.
        case nianticBackend = "niantic-backend"
        /// The NSDK's sign-in page.
        case nianticSignIn = "niantic-signin"
        /// The NSDK's sign-out page.
        case nianticSignOut = "niantic-signout"

        /// The three steps of the NSDK's exchange.
        static let nianticSteps: Set<Point> = [.nianticRotate, .nianticRefresh, .nianticAccess]
        /// Where the NSDK's tokens come from.
        static let nianticExchanges = nianticSteps.union([.nianticKey, .nianticBackend])
        /// The same, and the sign-in page, which brings a session token.
        static let nianticTokens = nianticExchanges.union([.nianticSignIn])
    }

    /// Where.
    public var point: Point
    /// How.
    public var kind: FaultKind
    /// How many requests are met by it; nil for all.
    public var count: Int?

    /// Makes a fault; it happens once unless more is asked for.
    public init(_ point: Point, _ kind: FaultKind, count: Int? = 1) {
        self.point = point
        self.kind = kind
        self.count = count
    }
}
