/// What a sign-in came to.
public struct SignInReport: Sendable {
    /// Who is signed in.
    public let account: Account?
    /// When the access token ends.
    public internal(set) var expiry: Expiry
    /// Whether another sign-in of the same credential was under way, and this is its result.
    public let joined: Bool
    /// Who was signed in before, if it was somebody else.
    public let replaced: Account?
    /// Why there is no access token yet, where the sign-in brought none and fetching the first failed for now.
    ///
    /// The person is signed in all the same, and the next call that needs a token tries again.
    public internal(set) var tokenFailure: (any Error)?
}
