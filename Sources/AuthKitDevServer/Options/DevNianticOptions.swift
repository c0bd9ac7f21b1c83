public import AuthKitCore

/// What the development identity service of the NSDK is like; every value has one that suits tests.
///
/// What Niantic's own service does is documented in part only: lifetimes and rotation are ours.
public struct DevNianticOptions: Sendable {
    /// The redirect types whose answer goes to the scheme of the same name.
    public var schemes: Set<String> = ["nsdk-samples", "nsdk-external", "nsdk-unity-samples"]
    /// The redirect types whose answer goes to a port on loopback.
    public var loopbackTypes: Set<String> = ["unity-editor"]
    /// How long session tokens live, in whole seconds.
    public var sessionTokenLifetime = Duration.seconds(30 * 86_400)
    /// How long session access tokens live, in whole seconds.
    public var sessionAccessTokenLifetime = Duration.seconds(3600)
    /// How long NSDK refresh tokens live, in whole seconds.
    public var refreshTokenLifetime = Duration.seconds(86_400)
    /// How long NSDK access tokens live, in whole seconds, by whichever flow they come.
    public var accessTokenLifetime = Duration.seconds(3600)
    /// Whether step 1 brings a new session token and ends the old one.
    public var rotatesSessionTokens = true
    /// Whether step 3 brings a new NSDK refresh token and ends the old one.
    public var rotatesRefreshTokens = true
    /// Whether the sign-out page ends what its session token belongs to.
    public var signOutEndsSession = true
    /// The status of a refusal of a token or key that is worth nothing, from 400 to 499.
    public var refusalStatus = 401
    /// How far the service's clock is ahead of ours, negative where it is behind: `Date` and every time that is told.
    ///
    /// What tokens are worth is judged by ours all the same: this changes nothing but what is said.
    public var clockAhead = Duration.zero
    /// The claims that NSDK refresh and access tokens lack, such as `exp`, by whichever flow they come.
    ///
    /// For tokens of which only the answer says when they end, whatever fault shapes that.
    public var omittedClaims: Set<String> = []
    /// Who may exchange a key for an access token.
    public var serviceAccounts = [DevServiceAccount(name: "dev", key: Secret("dev-api-key"))]
    /// What the app's own back end takes as a bearer token, besides session access tokens; it stands for the first user.
    public var backendToken = Secret("dev-backend-token")

    /// Makes the options, every value at its default.
    public init() {}

    /// Refuses options that no service can work with.
    func check() throws(DevServerError) {
        let names = schemes.union(loopbackTypes)
        guard schemes.isDisjoint(with: loopbackTypes), names.allSatisfy(Self.isName) else {
            throw DevServerError(.badOptions, "Write each redirect type once, as a scheme such as nsdk-samples.")
        }
        guard Set(serviceAccounts.map(\.name)).count == serviceAccounts.count,
            Set(serviceAccounts.map(\.key)).count == serviceAccounts.count,
            serviceAccounts.allSatisfy({ !$0.name.isEmpty && !$0.key.reveal().isEmpty })
        else { throw DevServerError(.badOptions, "Give each service account a name and a key of its own.") }
        guard (400...499).contains(refusalStatus) else {
            throw DevServerError(.badOptions, "Take a status from 400 to 499 for refusals.")
        }
    }

    /// RFC 3986 §3.1: what a scheme is made of.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.first, first.isASCII, first.isLetter, name.utf8.count <= 64 else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
