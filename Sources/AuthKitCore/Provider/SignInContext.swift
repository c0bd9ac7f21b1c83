/// What a provider is given for a sign-in.
public struct SignInContext: Sendable {
    /// Time, and when the person must be done.
    public let base: ProviderContext
    /// An empty credential with the right name and a fresh incarnation, to be filled.
    public let blank: StoredCredential
    /// What is stored now, for hints such as the account's name.
    public let previous: StoredCredential?

    private let redeem: @Sendable () throws -> Void

    /// Makes a context; `willRedeem` is what the method of that name does.
    public init(
        base: ProviderContext,
        blank: StoredCredential,
        previous: StoredCredential?,
        willRedeem redeem: @escaping @Sendable () throws -> Void
    ) {
        self.base = base
        self.blank = blank
        self.previous = previous
        self.redeem = redeem
    }

    /// Says that a code is about to be redeemed: from here on the sign-in is completed whatever happens to the caller.
    ///
    /// Must be called right before the token request. Throws when the process is ending: then nothing may be sent.
    public func willRedeem() throws {
        try redeem()
    }
}
