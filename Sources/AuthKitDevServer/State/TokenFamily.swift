import AuthKitCore

/// Everything that one sign-in brought: its tokens end together.
struct TokenFamily: Sendable {
    var id: String
    var clientID: String
    var signedIn: SignedInUser
    var scope: Scope
    var resources: [String]
    var hasEnded = false
    /// The refresh token that can be used now; nil where none was issued.
    var current: String?
    var currentIssuedAt: Moment
    /// The refresh token before it.
    var previous: String?
}
