import AuthKitCore

/// A sign-in page of the NSDK that waits for somebody's decision.
struct PendingSignIn: Sendable {
    let target: SignInTarget
    /// The cookie of the browser that was shown the page.
    let browser: String
    /// What the form must send back.
    let formToken: String
    /// The misbehaviour that the answer is to have.
    let fault: FaultKind?
    let shownAt: Moment
}
