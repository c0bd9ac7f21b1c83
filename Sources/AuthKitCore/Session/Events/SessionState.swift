/// Where a session stands, as far as this process knows.
public enum SessionState: Sendable, Hashable {
    /// Nobody is signed in; also where the store has not been read yet.
    case signedOut
    /// Tokens are held and can be used or renewed.
    case signedIn
    /// The provider is being asked for new tokens; those that are held can be used while they live.
    case refreshing
    /// Only a person can help, by signing in; the problem says why where it was written down.
    case needsSignIn(Problem?)
    /// The session was given up and does nothing any more.
    case disposed
}
