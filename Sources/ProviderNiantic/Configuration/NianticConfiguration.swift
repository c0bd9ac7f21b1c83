public import AuthKitCore

/// Where Niantic's sample sign-in is, and what this app wants of it.
///
/// The defaults are the addresses and figures of the vendor's sample apps.
public struct NianticConfiguration: Sendable, Hashable {
    /// The identity service: its base, to which `/oauth/token` is added, or the full address of the endpoint.
    public var identityURL = "https://spatial-identity.nianticspatial.com"
    /// The page at which a person signs in.
    public var signInURL = "https://sample-app-frontend-internal.nianticspatial.com/signin"
    /// The page that ends the person's session in the browser; nil for none.
    public var signOutURL: String? = "https://sample-app-frontend-internal.nianticspatial.com/signout"
    /// How the answer comes back.
    public var redirectType: RedirectType
    /// The schemes that may be asked for; the sign-in page redirects to no other.
    public var allowedSchemes: Set<String> = RedirectType.knownSchemes
    /// Where the answer comes to with a loopback type, tried in order; port 0 is a free one.
    public var loopbackRedirectURIs = ["http://127.0.0.1:0/login/success"]
    /// The path on loopback that the browser comes to when a sign-in with a loopback type failed.
    public var loopbackFailurePath = "/login/failure"
    /// Whether a sign-in may replace the stored account by another one.
    public var allowsAccountSwitch = false
    /// Where the NSDK's user identifier may stand in a token.
    public var userIDClaims = AuthInfo.usualUserIDClaims
    /// When tokens are renewed: as `RefreshPolicy.niantic` says, and the session token is kept alive too.
    public var refresh = RefreshPolicy.niantic
    /// How long one request may take.
    public var requestLimit: Duration = .seconds(30)
    /// What is assumed where the service documents nothing.
    public var assumptions = IdentityAssumptions()
    /// Whom to trust on every connection.
    public var tls = TLSOptions()

    /// Makes a configuration with the values above.
    public init(redirectType: RedirectType = .samples) {
        self.redirectType = redirectType
        refresh.watchedCompanions = [NianticProvider.sessionCompanion]
    }

    /// The redirect URIs that an answer is waited for at, in order.
    public var redirectURIs: [String] {
        redirectType.usesLoopback ? loopbackRedirectURIs : [CallbackAddress(scheme: redirectType.name).text]
    }
}
