/// What a sign-in came to.
public struct SignInReport: Sendable {
    /// Who is signed in.
    public let account: Account?
    /// When the access token ends.
    public let expiry: Expiry
    /// Whether another sign-in of the same credential was under way, and this is its result.
    public let joined: Bool
    /// Who was signed in before, if it was somebody else.
    public let replaced: Account?
}
