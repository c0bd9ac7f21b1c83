#if Postgres
import AuthKitCore
import PostgresTestServer
import StorePostgres
import Testing

/// What a vault over this store makes of a row that something else wrote: one damaged record among others.
@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(2)))
struct PostgresDamageTests {
    /// What something else did to a row.
    enum Damage: String, Sendable, CaseIterable {
        case hugePayload = "payload = decode(repeat('00', 20000000), 'hex')"
        case hugeMetadata = "metadata = decode(repeat('00', 20000000), 'hex')"
        case shortIncarnation = "incarnation = '\\x00'"
        case negativeRevision = "revision = -1"
        case hugeRevision = "revision = 9223372036854775807"
        case hugeAttoseconds = "due_attoseconds = 9223372036854775807"
        case nullMetadata = "metadata = NULL"
    }

    private static func vault(_ store: any TokenStore) async throws -> Vault {
        let key = Base64URL.encode([UInt8](repeating: 7, count: 32))
        return try await Vault.open(store, keySource: EnvironmentKey(name: "K") { _ in key })
    }

    private static func id(_ slot: String) -> CredentialID {
        CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: slot)
    }

    private static func credential(_ slot: String) throws -> StoredCredential {
        var credential = StoredCredential(id: id(slot), incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(Secret(slot))
        return credential
    }

    /// A vault with two credentials, and the row of the second damaged.
    private func withDamage(
        _ damage: Damage,
        _ body: (Vault, PostgresStore, RecordKey) async throws -> Void
    ) async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address)
        let vault = try await Self.vault(store)
        try await vault.save(try Self.credential("sound"), replacing: nil, due: WallTime(seconds: 77))
        let sound = try await store.list(after: nil, limit: 10).map(\.key)
        try await vault.save(try Self.credential("damaged"), replacing: nil, due: WallTime(seconds: 7))
        let key = try #require(try await store.list(after: nil, limit: 10).map(\.key).first { $0 != sound[0] })
        let hexadecimal = key.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let sql = """
            ALTER TABLE authkit_records DROP CONSTRAINT authkit_records_incarnation_check, ALTER metadata DROP NOT NULL;
            UPDATE authkit_records SET \(damage.rawValue) WHERE record_key = '\\x\(hexadecimal)'
            """
        try await execute(sql, at: address)
        try await body(vault, store, key)
        #expect(try await vault.load(Self.id("sound"))?.credential.refreshToken?.value.reveal() == "sound")
        await store.close()
    }

    @Test(arguments: Damage.allCases)
    func `it is one damaged record: told, passed over by claims, and removed by a purge`(_ damage: Damage) async throws
    {
        try await withDamage(damage) { vault, store, damaged in
            let listing = try await vault.listing()
            #expect(listing.summaries.map(\.id.slot) == ["sound"])
            #expect(listing.damaged == [damaged])
            #expect(await code { _ = try await store.load(damaged) } == .corrupt)
            let claimed = try await store.claimDue(before: WallTime(seconds: 100), limit: 1, for: .milliseconds(1))
            #expect(claimed.allSatisfy { $0.key != damaged })
            #expect(try await vault.rekeyData().damaged == [damaged])
            try await vault.purge(damaged: damaged)
            #expect(try await vault.listing().damaged.isEmpty)
            #expect(try await store.load(damaged) == nil)
            #expect(try await vault.rekeyData().isComplete)
        }
    }

    @Test(arguments: Damage.allCases)
    func `it is named by its credential, and what is saved over it takes its place`(_ damage: Damage) async throws {
        try await withDamage(damage) { vault, store, damaged in
            let id = Self.id("damaged")
            let error = await #expect(throws: VaultError.self) { _ = try await vault.load(id) }
            #expect(error?.code == .tampered)
            #expect(error?.detail.contains("damaged") == true)
            #expect(error?.detail.contains("sign in again to replace it") == true)
            let version = try #require(await vault.version(of: id))
            let credential = try Self.credential("damaged")
            let saved = try await vault.save(credential, replacing: version)
            #expect(saved.revision > version.revision)
            #expect(try await vault.load(id)?.credential == credential)
            // The version of the damage replaces nothing else.
            let late = try Self.credential("damaged")
            #expect(await code { try await vault.save(late, replacing: version) } == .conflict)
            #expect(await code { try await store.purge(damaged, expecting: version) } == .conflict)
            #expect(try await store.load(damaged)?.version == saved)
        }
    }

    @Test func `a header that cannot be read says that nothing opens without it`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address)
        _ = try await Self.vault(store)
        try await execute("UPDATE authkit_records SET revision = -1", at: address)
        let error = await storeError { _ = try await Self.vault(store) }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.contains("header") == true)
        #expect(error?.detail.contains("sign in again") == false)
    }
}
#endif
