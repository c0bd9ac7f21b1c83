internal import AuthKitCore

/// Stands for a provider that cannot be made, so that its tokens can still be removed here.
struct AbsentProvider: TokenProvider {
    let kind: ProviderKind

    var traits: ProviderTraits { ProviderTraits() }

    func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        .declined(reason: "There is no usable profile for this credential.")
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
