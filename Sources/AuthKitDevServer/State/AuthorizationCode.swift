import AuthKitCore

/// A code that was issued.
struct AuthorizationCode: Sendable {
    var request: AuthorizationRequest
    var signedIn: SignedInUser
    var issuedAt: Moment
    /// Whether it was redeemed, or an attempt at it failed.
    var isSpent = false
    /// What it was redeemed for.
    var family: String?
}
