#if Postgres
import AuthKitCore

/// An issuer in memory of many credentials, whose refresh tokens are a number and a generation and work once.
final class NumberedIssuer: TokenProvider {
    static let kind = ProviderKind("numbered")

    private struct Refusal: ProviderFailure {
        var code: String { "invalid_grant" }
        var remedy: Remedy { .signInAgain }
        var delivery: Delivery? { .answered }
        var description: String { "The issuer said invalid_grant." }
    }

    private let state = Guarded<[String: Int]>([:])

    /// How often each refresh token was sent.
    var sends: [String: Int] { state.withLock { $0 } }

    var kind: ProviderKind { Self.kind }
    /// A first token is due as soon as it is there, no later one is.
    var traits: ProviderTraits {
        ProviderTraits(
            refresh: RefreshPolicy(lead: CredentialBatch.firstLife, leadFraction: 1, floor: .zero, jitter: 0)
        )
    }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        guard let refresh = held.refreshToken?.value else { throw Refusal() }
        try await context.willSendOneTime(refresh)
        let count: Int? = state.withLock { sends in
            sends[refresh.reveal(), default: 0] += 1
            return sends[refresh.reveal()]
        }
        let parts = refresh.reveal().split(separator: "-").compactMap { Int($0) }
        guard count == 1, parts.count == 2 else { throw Refusal() }
        var renewed = held
        renewed.refreshToken = HeldToken(Secret("\(parts[0])-\(parts[1] + 1)"))
        renewed.accessTokens[request.key] = HeldToken(
            Secret("access-\(parts[0])-\(parts[1] + 1)"),
            expiry: .after(.seconds(90_000), from: context.base.time.now)
        )
        return .renewed(renewed)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
#endif
