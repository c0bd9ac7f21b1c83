#if Postgres
import AuthKitCore
import PostgresTestServer
import StorePostgres
import StoreTestSupport
import Testing

/// From the stores of one machine to the one that machines share, and back: copied, read back, compared, then removed.
@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(2)))
struct PostgresMigrationTests {
    private static let due: [Int: WallTime] = [1: WallTime(seconds: 77), 2: WallTime(seconds: 1 << 40)]
    private static let numbers = 1...4

    /// Stores four credentials: one is due, one will be, one never is, and one is a tombstone.
    private static func fill(_ vault: Vault) async throws {
        for number in numbers {
            var credential = try CredentialBatch.make(number)
            if number == 4 {
                credential = StoredCredential(
                    id: credential.id,
                    incarnation: credential.incarnation,
                    state: .signedOut
                )
            }
            try await vault.save(credential, replacing: nil, due: due[number])
        }
    }

    /// Expects all of them in a vault, as another one had them.
    private static func check(_ entries: [VaultEntry], in vault: Vault) async throws {
        #expect(entries.count == numbers.count)
        for entry in entries {
            let id = entry.credential.id
            #expect(try await vault.load(id) == entry)
            let number = try #require(Int(id.slot))
            #expect(try await vault.summary(of: id)?.due == due[number])
        }
        #expect(try await vault.listing().summaries.count == numbers.count)
    }

    private static func entries(_ vault: Vault) async throws -> [VaultEntry] {
        var entries: [VaultEntry] = []
        for number in numbers {
            if let entry = try await vault.load(CredentialBatch.id(number)) { entries.append(entry) }
        }
        return entries
    }

    @Test(arguments: LocalStore.allCases)
    func `credentials, tokens and due times come to PostgreSQL and back`(_ kind: LocalStore) async throws {
        try await withPlace { place in
            let local = try await kind.open("first", in: place)
            let source = try await CredentialBatch.vault(local, key: 1)
            try await Self.fill(source)
            let entries = try await Self.entries(source)
            let before = try await CredentialBatch.records(local)

            let address = try await StoreBench.freshAddress()
            let shared = try await CredentialBatch.vault(try await StoreBench.open(address), key: 2)
            let there = try await source.migrate(to: shared)
            #expect(there.copied == entries.count)
            #expect(there.isComplete)
            #expect(try await CredentialBatch.records(local) == before)
            // What another machine finds, tokens and all, and what a worker there would be given.
            let elsewhere = try await StoreBench.open(address)
            let opened = try await CredentialBatch.vault(elsewhere, key: 2)
            try await Self.check(entries, in: opened)
            #expect(entries.first?.credential.accessTokens[.primary]?.value.reveal() == "access-1-1")
            let claimed = try await elsewhere.claimDue(before: nil, limit: 10, for: .zero)
            #expect(claimed.count == 1)
            for record in claimed { #expect(try await opened.open(record) == entries.first) }

            let back = try await CredentialBatch.vault(try await kind.open("second", in: place), key: 3)
            let here = try await opened.migrate(to: back, purgingSource: true)
            #expect(here.copied == entries.count)
            #expect(here.purged == entries.count)
            try await Self.check(entries, in: back)
            #expect(try await CredentialBatch.records(elsewhere).map(\.key) == [.header])
        }
    }

    @Test(arguments: LocalStore.allCases)
    func `a database that does not keep what it took leaves the source as it was`(_ kind: LocalStore) async throws {
        try await withPlace { place in
            let local = try await kind.open("store", in: place)
            let source = try await CredentialBatch.vault(local, key: 1)
            try await Self.fill(source)
            let before = try await CredentialBatch.records(local)
            let address = try await StoreBench.freshAddress()
            let shared = try await CredentialBatch.vault(try await StoreBench.open(address), key: 2)
            try await execute(
                """
                CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN DELETE FROM authkit_records WHERE record_key = NEW.record_key; RETURN NULL; END';
                CREATE TRIGGER forget AFTER INSERT ON authkit_records FOR EACH ROW EXECUTE FUNCTION forget();
                """,
                at: address
            )
            let error = await #expect(throws: VaultError.self) {
                _ = try await source.migrate(to: shared, purgingSource: true)
            }
            #expect(error?.code == .copyDiffers)
            #expect(try await CredentialBatch.records(local) == before)
        }
    }

    @Test func `cut short by the database it goes on where it ended`() async throws {
        let local = InMemoryStore()
        let source = try await CredentialBatch.vault(local, key: 1)
        try await Self.fill(source)
        let entries = try await Self.entries(source)
        let before = try await CredentialBatch.records(local)
        let address = try await StoreBench.freshAddress()
        let shared = try await CredentialBatch.vault(try await StoreBench.open(address), key: 2)
        // The header and two records are taken, the third is not.
        try await execute(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN IF (SELECT count(*) FROM authkit_records) >= 3 THEN RAISE EXCEPTION ''no''; END IF; RETURN NEW; END';
            CREATE TRIGGER refuse BEFORE INSERT ON authkit_records FOR EACH ROW EXECUTE FUNCTION refuse();
            """,
            at: address
        )
        let error = await #expect(throws: StoreError.self) {
            _ = try await source.migrate(to: shared, purgingSource: true)
        }
        #expect(error?.code == .inputOutput)
        #expect(try await CredentialBatch.records(local) == before)
        try await execute("DROP TRIGGER refuse ON authkit_records", at: address)
        let report = try await source.migrate(to: shared, purgingSource: true)
        #expect(report.present == 2)
        #expect(report.copied == 2)
        #expect(report.purged == 4)
        try await Self.check(entries, in: shared)
        #expect(try await CredentialBatch.records(local).map(\.key) == [.header])
    }
}
#endif
