/// Who is signed in, as verified.
public struct Account: Sendable, Hashable {
    /// The issuer that says so.
    public var issuer: String
    /// The stable identifier there (`sub`).
    public var subject: String
    /// What a person recognises: a user name, an e-mail address; shown, never compared.
    public var displayName: String?

    /// Makes an account.
    public init(issuer: String, subject: String, displayName: String? = nil) {
        self.issuer = issuer
        self.subject = subject
        self.displayName = displayName
    }
}
