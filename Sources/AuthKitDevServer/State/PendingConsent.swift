import AuthKitCore

/// A page that waits for somebody's decision.
struct PendingConsent: Sendable {
    var request: AuthorizationRequest
    /// The cookie of the browser that was shown the page.
    var browser: String
    /// What the form must send back.
    var formToken: String
    /// The misbehaviour that the answer is to have.
    var fault: FaultKind?
    var shownAt: Moment
}
