/// One system that issues tokens.
///
/// A provider holds its configuration and transport and no tokens: what is held comes in, what was received goes out.
public protocol TokenProvider: Sendable {
    /// The kind, part of every credential's name.
    var kind: ProviderKind { get }

    /// How its tokens are renewed.
    var traits: ProviderTraits { get }

    /// Renews what is held, and returns the whole credential with what changed merged into it.
    ///
    /// Called under the store's lease. Before a token that the issuer may accept only once is sent,
    /// `context.willSendOneTime` must have returned. Throws `ProviderFailure` errors; `CancellationError` untouched.
    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal

    /// Whether what is held was made from what the provider works with now, such as the key in a file.
    ///
    /// Asked when a credential is read from the store: access tokens that were not are given to nobody, and renewed.
    /// True unless a provider says otherwise.
    func isCurrent(_ held: StoredCredential) -> Bool

    /// Tells the issuer that what is held must no longer work; one result for each step tried.
    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult]
}

extension TokenProvider {
    /// What is held stays good however the provider is set up.
    public func isCurrent(_ held: StoredCredential) -> Bool { true }
}
