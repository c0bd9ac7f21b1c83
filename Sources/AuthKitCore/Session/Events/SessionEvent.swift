/// What happens to a credential, as its sessions tell it; nothing secret is in one.
public enum SessionEvent: Sendable, Hashable {
    /// Somebody signed in, here or in another process; also where the store was read for the first time.
    case signedIn(as: Account?, Incarnation)
    /// Somebody else signed in than was signed in before.
    case accountSwitched(from: Account?, to: Account?, Incarnation)
    /// The provider is being asked for new tokens.
    case refreshing
    /// A new access token is here, fetched by whatever process; when it ends on this machine's clock.
    case renewed(AccessTokenKey, Expiry)
    /// A renewal failed: the error's stable code, what to do, and how long to wait where the issuer named a time.
    case renewalFailed(code: String, remedy: Remedy, retryAfter: Duration?)
    /// New tokens could not be stored yet; they are served from memory, and storing is tried again.
    case unsaved
    /// What was unsaved is stored now.
    case saved
    /// What is held no longer works; the problem says why where it was written down.
    case needsSignIn(Problem?)
    /// Signed out, here or in another process.
    case signedOut
    /// The session was given up; the last event.
    case disposed
    /// So many events in between were lost, since this subscriber was slow; the newest are not.
    case missed(Int)
}
