/// What a sign-in came to: the credential, and the receiver at which the person waits for a word.
public struct SignInResult: Sendable {
    /// The credential to be stored.
    public let credential: StoredCredential
    /// Where the person waits; told the outcome after the credential was stored, then closed.
    public let receiver: (any RedirectReceiver)?

    /// Makes a result.
    public init(credential: StoredCredential, receiver: (any RedirectReceiver)?) {
        self.credential = credential
        self.receiver = receiver
    }
}
