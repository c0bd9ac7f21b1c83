/// An access token as a session hands it out.
public struct IssuedToken: Sendable {
    /// The token.
    public let token: HeldToken
    /// The newest ID token, if one is held.
    public let idToken: HeldToken?
    /// Who is signed in.
    public let account: Account?
    /// Whether this call, or the flight it joined, fetched it.
    public let refreshed: Bool
    /// Why it is not newer: renewal failed for now and this one still lives.
    ///
    /// Nil when all is well.
    public let renewalFailure: (any Error)?
    /// Whether it could not be stored yet and is served from memory.
    public let isUnsaved: Bool
}
