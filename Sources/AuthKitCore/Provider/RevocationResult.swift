/// One step of a revocation.
public struct RevocationResult: Sendable {
    /// What was to be revoked, in words: `refresh token`.
    public let subject: String
    /// Why it failed; nil when the issuer confirmed it.
    public let failure: (any ProviderFailure)?

    /// Makes a result.
    public init(subject: String, failure: (any ProviderFailure)?) {
        self.subject = subject
        self.failure = failure
    }
}
