public import AuthKitCore

/// What an app is at an issuer, and how it signs people in there.
///
/// Give `issuer`, or `endpoints`, or both: an endpoint given by hand goes before the discovered one. Without `openid`
/// in the scope this is plain OAuth: no ID token is expected and no issuer is needed.
public struct OIDCConfiguration: Sendable, Hashable {
    /// How the issuer hands its answer to the redirect URI.
    public enum ResponseMode: String, Sendable, Hashable {
        /// In the query, the rule for codes; not written into the request.
        case query
        /// In a form that the browser posts.
        case formPost = "form_post"
    }

    /// The issuer, byte for byte as it names itself, or the full address of its discovery document.
    public var issuer: String?
    /// Addresses given by hand.
    public var endpoints: OIDCEndpoints
    /// The app's identifier at the issuer.
    public var clientID: String
    /// How the app proves that it is itself.
    public var clientAuthentication: ClientAuthentication
    /// The scope asked for at sign-in.
    public var scope: Scope
    /// Redirect URIs as registered, tried in order; a loopback one with port 0 takes a free port.
    public var redirectURIs: [String]
    /// How the answer reaches the redirect URI.
    public var responseMode: ResponseMode = .query
    /// The `audience` that some issuers want.
    public var audience: String?
    /// RFC 8707 resource indicators.
    public var resources: [String] = []
    /// Whether `audience` is sent at refresh too.
    public var sendsAudienceAtRefresh = true
    /// Whether `resources` are sent at refresh too.
    public var sendsResourcesAtRefresh = true
    /// Authentication context classes asked for, best first.
    public var acrValues: [String] = []
    /// The longest time since the person last proved who they are, in whole seconds; checked in the ID token.
    public var maxAge: Duration?
    /// The `prompt` values, space-delimited.
    public var prompt: String?
    /// Who is expected to sign in.
    public var loginHint: String?
    /// More parameters for the authorization request; names that the flow itself sets are refused.
    public var extraParameters: [FormParameter] = []
    /// Where the browser goes after the session ended, as registered.
    public var postLogoutRedirectURI: String?
    /// The only ID-token algorithms accepted; nil for the asymmetric ones among those that the issuer's metadata
    /// lists, `RS256` where it lists none.
    public var idTokenAlgorithms: [JWSAlgorithm]?
    /// How far clocks may differ, below 360 s.
    public var clockSkew: Duration = .seconds(60)
    /// Audiences that an ID token may have besides this client.
    public var trustedAudiences: Set<String> = []
    /// Whom to trust and who to be on every connection.
    public var tls: TLSOptions = .init()

    /// Makes a configuration; what is not named here has a setting of its own.
    public init(
        issuer: String? = nil,
        endpoints: OIDCEndpoints = .init(),
        clientID: String,
        clientAuthentication: ClientAuthentication = .none,
        scope: Scope = Scope("openid"),
        redirectURIs: [String] = ["http://127.0.0.1:0/callback"]
    ) {
        self.issuer = issuer
        self.endpoints = endpoints
        self.clientID = clientID
        self.clientAuthentication = clientAuthentication
        self.scope = scope
        self.redirectURIs = redirectURIs
    }

    /// Whether ID tokens are expected.
    var isOpenID: Bool { scope.contains("openid") }
}
