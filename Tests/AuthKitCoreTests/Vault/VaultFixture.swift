@testable import AuthKitCore
import Testing

/// Vaults and credentials that differ by a name only.
enum VaultFixture {
    /// A key source whose key is one byte repeated.
    static func source(_ byte: UInt8 = 0) -> EnvironmentKey {
        let text = Base64URL.encode([UInt8](repeating: byte, count: 32))
        return EnvironmentKey(name: "K") { _ in text }
    }

    static func open(_ store: any TokenStore, key: UInt8 = 0) async throws -> Vault {
        try await Vault.open(store, keySource: source(key))
    }

    static func id(_ slot: String) -> CredentialID {
        CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: slot)
    }

    /// A credential with a refresh token of a text, its slot's name unless another is given.
    static func credential(_ slot: String, _ token: String? = nil) throws -> StoredCredential {
        var credential = StoredCredential(id: id(slot), incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(Secret(token ?? slot))
        return credential
    }

    /// Every record in a store, payloads included.
    static func records(_ store: any TokenStore) async throws -> [SealedRecord] {
        var records: [SealedRecord] = []
        for listed in try await store.list(after: nil, limit: 10_000) {
            if let record = try await store.load(listed.key) { records.append(record) }
        }
        return records
    }

    /// The names of the data keys that a store's header has.
    static func keyCount(_ store: any TokenStore) async throws -> Int {
        let record = try #require(await store.load(.header))
        return try VaultHeader(record).keys.count
    }
}

/// The code of the vault's error that a piece of work throws; nil when it throws none.
func vaultCode(_ work: () async throws -> some Any) async -> VaultError.Code? {
    do {
        _ = try await work()
        return nil
    } catch {
        return (error as? VaultError)?.code
    }
}

/// The code of the store's error that a piece of work throws; nil when it throws none.
func storeCode(_ work: () async throws -> some Any) async -> StoreError.Code? {
    do {
        _ = try await work()
        return nil
    } catch {
        return (error as? StoreError)?.code
    }
}
