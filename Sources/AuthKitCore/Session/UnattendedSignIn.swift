/// Lets a credential begin anew where a token comes without anybody signing in: its first token is the sign-in.
struct UnattendedSignIn: InteractiveTokenProvider {
    /// Stands for a browser where nobody is shown anything.
    struct NoPage: UserAgent {
        func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
            throw SessionError(
                .interactionUnsupported,
                "A page was to be shown where nobody signs in; report this to the author of the provider."
            )
        }
    }

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

    func isCurrent(_ held: StoredCredential) -> Bool { base.isCurrent(held) }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] {
        await base.revoke(held, in: context)
    }

    /// Fetches a first token, so that a wrong key is told at once and leaves what was stored.
    func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult {
        // Nothing is sent here that works only once, so up to the answer its caller may give it up.
        let renewal = RenewalContext(base: context.base, willSendOneTime: { _ in 0 }, commit: { _ in })
        switch try await base.renew(context.blank, for: TokenRequest(), in: renewal) {
        case .renewed(let credential):
            try context.willRedeem()
            return SignInResult(credential: credential, receiver: nil)
        case .declined(let reason):
            throw SessionError(.signInNeeded, "There is no token for \(context.blank.id.slot): \(reason).")
        }
    }

    func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest? { nil }
}
