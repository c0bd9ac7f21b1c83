package import AuthKitCore

/// An issuer in memory that rotates refresh tokens strictly and costs nothing.
package final class RotatingIssuer: TokenProvider {
    private struct State {
        var current = 1
        var reuses = 0
    }

    private let state = Guarded(State())
    /// Runs when the issuer has answered and nobody has the answer yet.
    private let afterAnswer: @Sendable () async throws -> Void

    package init(afterAnswer: @escaping @Sendable () async throws -> Void = {}) {
        self.afterAnswer = afterAnswer
    }

    /// How often a spent token was sent.
    package var reuses: Int { state.withLock { $0.reuses } }

    package var kind: ProviderKind { ProviderKind("rotating") }
    package var traits: ProviderTraits { ProviderTraits() }

    package func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        guard let refresh = held.refreshToken else { throw Refusal() }
        _ = try await context.willSendOneTime(refresh.value)
        let next: Int? = state.withLock { state in
            guard refresh.value.reveal() == "refresh-\(state.current)" else {
                state.reuses += 1
                return nil
            }
            state.current += 1
            return state.current
        }
        guard let next else { throw Refusal() }
        try await afterAnswer()
        var renewed = held
        renewed.refreshToken = HeldToken(Secret("refresh-\(next)"))
        renewed.accessTokens[request.key] = HeldToken(
            Secret("access-\(next)"),
            expiry: .after(.seconds(3600), from: context.base.time.now)
        )
        return .renewed(renewed)
    }

    package func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }

    private struct Refusal: ProviderFailure {
        var code: String { "invalid_grant" }
        var remedy: Remedy { .signInAgain }
        var delivery: Delivery? { .answered }
        var description: String { "The issuer said invalid_grant." }
    }
}
