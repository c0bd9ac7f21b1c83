/// A provider at which a person can sign in.
public protocol InteractiveTokenProvider: TokenProvider {
    /// Signs a person in through a user agent and returns the credential to be stored.
    ///
    /// Everything that came back is verified before it is returned. The receiver is left open and returned with the
    /// result: the session tells it the outcome once the tokens are stored.
    func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult

    /// The address at which the person's own session at the issuer ends; nil where the issuer has none.
    func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest?
}
