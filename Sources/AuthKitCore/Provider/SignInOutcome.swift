/// What the person at the browser is told at the end.
public enum SignInOutcome: Sendable, Hashable {
    /// Signed in and stored, as whom where that is known.
    case signedIn(account: String?)
    /// Not signed in, with one sentence that says why and what to do.
    case failed(message: String)
}
