import AuthKitCore

/// What the issuer remembers of one browser.
struct BrowserSession: Sendable {
    var signedIn: SignedInUser
    /// What was allowed, by client.
    var consents: [String: Scope] = [:]
}
