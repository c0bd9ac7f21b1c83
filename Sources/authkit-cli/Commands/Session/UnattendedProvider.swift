internal import AuthKitCore

/// Lets `login` begin anew, after `logout` too, where a token comes without anybody signing in.
struct UnattendedProvider: InteractiveTokenProvider {
    private let base: any TokenProvider

    /// Takes the provider itself.
    init(_ base: any TokenProvider) {
        self.base = base
    }

    var kind: ProviderKind { base.kind }
    var traits: ProviderTraits { base.traits }

    func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        try await base.renew(held, for: request, in: context)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] {
        await base.revoke(held, in: context)
    }

    /// Fetches a first token, so that a wrong key is told at once and leaves what was stored.
    func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult {
        try context.willRedeem()
        // Nothing is sent here that works only once.
        let renewal = RenewalContext(base: context.base, willSendOneTime: { _ in 0 }, commit: { _ in })
        switch try await base.renew(context.blank, for: TokenRequest(), in: renewal) {
        case .renewed(let credential): return SignInResult(credential: credential, receiver: nil)
        case .declined(let reason):
            throw CommandFailure(.signInNeeded, "no_token", "There is no token: \(reason).")
        }
    }

    func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest? { nil }
}
