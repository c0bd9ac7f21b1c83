/// What a provider is given for a sign-in.
public struct SignInContext: Sendable {
    /// Time, and when the person must be done.
    public let base: ProviderContext
    /// An empty credential with the right name and a fresh incarnation, to be filled.
    public let blank: StoredCredential
    /// What is stored now, for hints such as the account's name.
    public let previous: StoredCredential?

    /// Makes a context.
    public init(base: ProviderContext, blank: StoredCredential, previous: StoredCredential?) {
        self.base = base
        self.blank = blank
        self.previous = previous
    }
}
