/// What a scheduler does, told to whoever listens; never a secret.
public struct RefreshEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The session was renewed, and its token had ended so long before: zero when it was on time.
        case renewed(late: Duration)
        /// Somebody else had renewed it already: nothing was asked of the issuer.
        case unneeded
        /// Renewal failed with this error code and is tried again after so long.
        case failed(code: String, retryIn: Duration)
        /// Renewal failed with this error code and is not tried again before somebody signs in.
        case stopped(code: String)
        /// The wall clock was stepped by so much.
        case clockStepped(by: Duration)
        /// The system slept, so long beyond the time at which the scheduler was to wake.
        case overslept(Duration)
    }

    /// What happened.
    public let kind: Kind
    /// Whose session it was; nil for what concerns all.
    public let credential: CredentialID?
    /// When.
    public let at: WallTime

    /// Makes an event.
    public init(_ kind: Kind, credential: CredentialID? = nil, at: WallTime) {
        self.kind = kind
        self.credential = credential
        self.at = at
    }
}
