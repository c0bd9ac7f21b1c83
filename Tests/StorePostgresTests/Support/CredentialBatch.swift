#if Postgres
import AuthKitCore

/// Credentials for tests, named by numbers, and vaults whose key is one byte repeated.
enum CredentialBatch {
    /// How long a first token lives; all of that time it is due for renewal.
    static let firstLife: Duration = .seconds(1800)

    static func vault(_ store: any TokenStore, key: UInt8 = 1) async throws -> Vault {
        let text = Base64URL.encode([UInt8](repeating: key, count: 32))
        return try await Vault.open(store, keySource: EnvironmentKey(name: "K") { _ in text })
    }

    static func id(_ number: Int) -> CredentialID {
        CredentialID(provider: NumberedIssuer.kind, issuer: "https://i.example", client: "c", slot: "\(number)")
    }

    /// A credential that is signed in, with a refresh and an access token.
    static func make(_ number: Int) throws -> StoredCredential {
        let now = SystemTime().now
        var credential = StoredCredential(id: id(number), incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(Secret("\(number)-1"))
        credential.accessTokens[.primary] = HeldToken(
            Secret("access-\(number)-1"),
            expiry: .after(firstLife, from: now)
        )
        credential.companions["other"] = HeldToken(Secret("companion-\(number)"))
        credential.renewedAt = now
        return credential
    }

    /// Every record of a store as it lies there, the header included.
    static func records(_ store: any TokenStore) async throws -> [SealedRecord] {
        var keys = [RecordKey.header]
        keys += try await store.list(after: nil, limit: 10_000).map(\.key)
        var records: [SealedRecord] = []
        for key in keys {
            if let record = try await store.load(key) { records.append(record) }
        }
        return records
    }
}
#endif
