import AuthKitTesting
import Testing

@testable import AuthKitCore

/// Sizes and counts of what a vault holds.
@Suite struct VaultBoundsTests {
    private let store = WatchedStore()

    private func vault() async throws -> Vault {
        try await Vault.open(store, keySource: EnvironmentKey(name: "K") { _ in VaultTests.key })
    }

    private func credential(_ slot: String = "work") throws -> StoredCredential {
        let id = CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: slot)
        return StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
    }

    @Test func `room for the answer is asked for while an intent is open, and only then`() async throws {
        let vault = try await vault()
        var credential = try credential()
        let first = try await vault.save(credential, replacing: nil)
        #expect(store.lastReserve == 0)
        credential.intents[TokenFingerprint(of: Secret("t"))] = Intent(sends: 1, at: WallTime(seconds: 1))
        let second = try await vault.save(credential, replacing: first)
        #expect(store.lastReserve > Vault.answerRoom)
        credential.intents = [:]
        try await vault.save(credential, replacing: second)
        #expect(store.lastReserve == 0)
    }

    @Test func `a credential beyond the limit is refused and what is stored stays`() async throws {
        let vault = try await vault()
        var credential = try credential()
        let version = try await vault.save(credential, replacing: nil)
        credential.refreshToken = HeldToken(Secret(String(repeating: "t", count: Vault.credentialLimit)))
        await #expect { try await vault.save(credential, replacing: version) } throws: {
            ($0 as? VaultError)?.code == .tooLarge
        }
        #expect(try await vault.load(credential.id)?.version == version)
    }

    @Test(.timeLimit(.minutes(1)))
    func `more credentials than a page holds are listed, each once`() async throws {
        let vault = try await vault()
        for number in 0..<501 { try await vault.save(try credential("\(number)"), replacing: nil) }
        let slots = try await vault.listing().summaries.map(\.id.slot)
        #expect(slots.count == 501)
        #expect(Set(slots).count == 501)
    }
}
