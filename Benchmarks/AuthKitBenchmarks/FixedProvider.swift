import AuthKitCore

/// A provider whose issuer costs nothing, so that what is measured is ours.
struct FixedProvider: TokenProvider {
    var kind: ProviderKind { ProviderKind("benchmark") }
    var traits: ProviderTraits { ProviderTraits(needsSignIn: false) }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        var renewed = held
        let now = context.base.time.now
        let value = "token-\(now.sinceBoot)"
        renewed.accessTokens[request.key] = HeldToken(Secret(value), expiry: .after(.seconds(86_400), from: now))
        return .renewed(renewed)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
