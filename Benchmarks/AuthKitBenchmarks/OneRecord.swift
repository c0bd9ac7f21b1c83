import AuthKitCore

/// A credential of the usual size in a vault of its own, saved over and over.
final class OneRecord {
    let id = CredentialID(provider: ProviderKind("benchmark"), issuer: "https://issuer", client: "c", slot: "one")
    let vault: Vault
    /// The record as the store has it.
    private(set) var sealed: SealedRecord
    private let credential: StoredCredential
    private var version: RecordVersion

    init(_ store: any TokenStore) async throws {
        vault = try await Self.vault(store)
        credential = try Self.credential(id)
        version = try await vault.save(credential, replacing: nil)
        guard let key = try await store.list(after: nil, limit: 1).first?.key,
            let record = try await store.load(key)
        else { throw BenchmarkError("What was saved is not there.") }
        sealed = record
    }

    func save() async throws {
        version = try await vault.save(credential, replacing: version)
    }

    static func vault(_ store: any TokenStore) async throws -> Vault {
        let key = EnvironmentKey(name: "benchmark") { _ in Base64URL.encode([UInt8](repeating: 7, count: 32)) }
        return try await Vault.open(store, keySource: key)
    }

    /// A refresh token of 100 bytes, an access token of 900 and an ID token of as many.
    static func credential(_ id: CredentialID) throws -> StoredCredential {
        let now = SystemTime().now
        let text = { (count: Int) in Secret(String(repeating: "x", count: count)) }
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.account = Account(issuer: id.issuer, subject: "248289761001", displayName: "jane@example.com")
        credential.refreshToken = HeldToken(text(100))
        credential.idToken = HeldToken(text(900), expiry: .after(.seconds(3600), from: now))
        credential.accessTokens[.primary] = HeldToken(text(900), expiry: .after(.seconds(3600), from: now))
        credential.signedInAt = now.wall
        credential.renewedAt = now
        return credential
    }
}
