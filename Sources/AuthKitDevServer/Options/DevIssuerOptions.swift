public import AuthKitCore

/// What a development issuer is like; every value has one that suits tests.
public struct DevIssuerOptions: Sendable {
    /// Who may ask for tokens.
    public var clients: [DevClient] = [
        DevClient(id: "dev"), DevClient(id: "dev-conf", secret: Secret("dev-secret")),
    ]
    /// Who can sign in; the first is taken where nothing names one.
    public var users: [DevUser] = [DevUser(name: "alice"), DevUser(name: "bob")]
    /// Whether somebody is asked.
    public var consent = ConsentMode.automatic
    /// What access tokens look like.
    public var accessTokenForm = AccessTokenForm.jwt
    /// How tokens are signed.
    public var algorithm = DevSigningAlgorithm.rs256
    /// Whether there is a key for every algorithm, as most issuers have it, or only for those that sign.
    ///
    /// Making an RSA key takes a good part of a second: a test that does not look at keys can do without.
    public var hasKeyForEachAlgorithm = true
    /// How long a code can be redeemed.
    public var codeLifetime = Duration.seconds(60)
    /// How long access tokens live, in whole seconds.
    public var accessTokenLifetime = Duration.seconds(3600)
    /// How long ID tokens live, in whole seconds.
    public var idTokenLifetime = Duration.seconds(3600)
    /// How long a refresh token can be used after it was issued.
    public var refreshTokenLifetime = Duration.seconds(30 * 86_400)
    /// Whether each refresh brings a new refresh token and ends the old one.
    public var rotatesRefreshTokens = true
    /// How long the token just rotated away may be sent again, and gets the same successor; zero for never.
    public var rotationGrace = Duration.zero
    /// Whether refresh tokens are issued only for the scope `offline_access` (OpenID Connect Core §11).
    public var requiresOfflineAccess = false
    /// Whether keys that were rotated away stay in the key set, so that their signatures can still be verified.
    public var publishesRetiredKeys = true
    /// The path of the issuer: empty, or `/` and segments without a slash at the end.
    public var path = ""
    /// What the identity service of the NSDK is like.
    public var niantic = DevNianticOptions()
    /// The misbehaviour it starts with.
    public var faults: [Fault] = []
    /// Its clocks.
    public var time: any TimeSource

    /// Makes the options, every value at its default.
    public init(time: any TimeSource = SystemTime()) {
        self.time = time
    }
}
