import AuthKitCore

/// Who signed in, when, and in which browser session.
struct SignedInUser: Sendable {
    var user: DevUser
    var authenticatedAt: WallTime
    var sessionID: String
}
