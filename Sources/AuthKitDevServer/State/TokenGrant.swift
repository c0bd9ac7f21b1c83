import AuthKitCore

/// What a token answer is to contain, decided but not signed yet.
struct TokenGrant: Sendable {
    var family: String
    var clientID: String
    var signedIn: SignedInUser
    /// The scope of the access token.
    var scope: Scope
    /// The nonce of the authorization request; none on refresh (OpenID Connect Core §12.2).
    var nonce: String?
    var resources: [String]
    /// The refresh token of the answer, where it has one.
    var refreshToken: String?
}
