#if Postgres
import AuthKitCore

/// The credentials of the proof and how they are named: number and generation.
enum ProofCredential {
    /// The provider's kind.
    static let kind = ProviderKind("proof")
    /// How long the first token lives: all must be renewed before it ends.
    static let firstLife: Duration = .seconds(1800)
    /// How long those live that the issuer gives: far longer than the proof takes.
    static let laterLife: Duration = .seconds(90_000)
    /// Every first token is due at once, no later one is.
    static let traits = ProviderTraits(
        refresh: RefreshPolicy(lead: firstLife, leadFraction: 1, floor: .zero, jitter: 0)
    )

    /// A credential with the first token of its family.
    static func make(_ number: Int, at now: Moment) throws -> StoredCredential {
        let id = CredentialID(
            provider: kind,
            issuer: "https://issuer-\(number % 8).example",
            client: "proof",
            slot: "\(number)"
        )
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(token(number, 1))
        credential.accessTokens[.primary] = HeldToken(
            Secret("access-\(number)-1-" + String(repeating: "x", count: 800)),
            expiry: .after(firstLife, from: now)
        )
        credential.renewedAt = now
        return credential
    }

    /// A refresh token.
    static func token(_ number: Int, _ generation: Int) -> Secret { Secret("\(number)-\(generation)") }

    /// Number and generation of a refresh token.
    static func parse(_ token: some StringProtocol) -> (number: Int, generation: Int)? {
        let parts = token.split(separator: "-").compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}
#endif
