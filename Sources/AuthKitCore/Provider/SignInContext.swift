/// What a provider is given for a sign-in.
public struct SignInContext: Sendable {
    /// Time, and when the person must be done.
    public let base: ProviderContext
    /// An empty credential with the right name and a fresh incarnation, to be filled.
    public let blank: StoredCredential
    /// What is stored now, for hints such as the account's name.
    public let previous: StoredCredential?

    private let redeem: @Sendable () throws -> Void
    private let again: @Sendable () -> Bool

    /// Makes a context; `willRedeem` and `mayWaitAgain` are what the methods of those names do.
    public init(
        base: ProviderContext,
        blank: StoredCredential,
        previous: StoredCredential?,
        willRedeem redeem: @escaping @Sendable () throws -> Void,
        mayWaitAgain again: @escaping @Sendable () -> Bool = { true }
    ) {
        self.base = base
        self.blank = blank
        self.previous = previous
        self.redeem = redeem
        self.again = again
    }

    /// Says that a code is about to be redeemed: from here on the sign-in is completed whatever happens to the caller.
    ///
    /// Must be called right before the token request. Throws when the process is ending: then nothing may be sent.
    public func willRedeem() throws {
        try redeem()
    }

    /// Says that what was redeemed is refused and the person has the word again; false when the caller has left.
    ///
    /// Where it is false the sign-in ends with that refusal, since nobody waits for another answer.
    public func mayWaitAgain() -> Bool {
        again()
    }
}
