import AuthKitCore

/// Exchanges the refresh token, commits, and takes one step more.
struct SteppingProvider: TokenProvider {
    let issuer: MemoryIssuer
    let between: @Sendable () async throws -> Void
    let lastStep: MemoryFailure?
    var kind: ProviderKind { ProviderKind("memory") }
    var traits: ProviderTraits { ProviderTraits() }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        let spent = held.refreshToken?.value ?? Secret("")
        try await context.willSendOneTime(spent)
        guard let grant = issuer.refresh(spent.reveal()) else {
            throw MemoryFailure(code: "invalid_grant", remedy: .signInAgain, delivery: .answered)
        }
        try await between()
        var credential = held
        credential.refreshToken = HeldToken(Secret(grant.refresh))
        try await context.commit(credential)
        if let lastStep { throw lastStep }
        credential.accessTokens[request.key] = HeldToken(
            Secret(grant.access),
            expiry: .after(issuer.lifetime, from: context.base.time.now)
        )
        return .renewed(credential)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
