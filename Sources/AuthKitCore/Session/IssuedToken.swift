/// An access token as a session hands it out.
public struct IssuedToken: Sendable {
    private let ready: ReadyToken
    private let snapshot: CredentialSnapshot
    /// Whether this call, or the flight it joined, fetched it.
    public let refreshed: Bool
    /// Why it is not newer: renewal failed for now and this one still lives.
    ///
    /// Nil when all is well.
    public let renewalFailure: (any Error)?

    init(_ ready: ReadyToken, of snapshot: CredentialSnapshot, refreshed: Bool, renewalFailure: (any Error)?) {
        self.ready = ready
        self.snapshot = snapshot
        self.refreshed = refreshed
        self.renewalFailure = renewalFailure
    }

    /// The token, with its end as this machine's clock will show it.
    public var token: HeldToken { ready.token }
    /// The newest ID token, if one is held, with its end as this machine's clock will show it.
    public var idToken: HeldToken? { snapshot.idToken }
    /// Who is signed in.
    public var account: Account? { snapshot.entry.credential.account }
    /// Whether it could not be stored yet and is served from memory.
    public var isUnsaved: Bool { snapshot.isUnsaved }
    /// The life of the credential that it belongs to.
    var credential: StoredCredential { snapshot.entry.credential }
}

extension IssuedToken: CustomStringConvertible, CustomReflectable {
    /// Nothing of the token.
    public var description: String { "IssuedToken(<redacted>)" }
    /// A mirror without children, so that `dump` shows nothing of what is held.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
