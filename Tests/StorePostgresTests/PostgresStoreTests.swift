#if Postgres
import AuthKitCore
import AuthKitTesting
import PostgresTestServer
import StorePostgres
import Testing

@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(4)))
struct PostgresStoreTests {
    @Test(arguments: TokenStoreConformance.all + TokenStoreConformance.due)
    func `meets the store contract`(_ rule: TokenStoreConformance.Rule) async throws {
        try await rule.check { try await StoreBench.freshStore() }
    }

    @Test func `two stores on one database see each other's writes and exclude each other's leases`() async throws {
        let address = try await StoreBench.freshAddress()
        let first = try await StoreBench.open(address)
        let second = try await StoreBench.open(address)
        let record = try StoreBench.record()
        try await first.save(record, replacing: nil, under: nil)
        #expect(try await second.load(record.key) == record)
        let next = try StoreBench.record(revision: 2)
        try await second.save(next, replacing: record.version, under: nil)
        #expect(await code { try await first.save(next, replacing: record.version, under: nil) } == .conflict)

        let lease = try await first.lease(record.key, for: .refresh, waiting: .zero)
        #expect(await code { _ = try await second.lease(record.key, for: .refresh, waiting: .zero) } == .busy)
        let waiter = Task { try await second.lease(record.key, for: .refresh, waiting: .seconds(60)) }
        await lease.release()
        await (try await waiter.value).release()
    }

    @Test func `twelve stores make the tables at once`() async throws {
        let address = try await StoreBench.freshAddress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...12 {
                group.addTask {
                    let store = try await StoreBench.open(address)
                    try await store.save(try StoreBench.record(number: UInt8(number)), replacing: nil, under: nil)
                    await store.close()
                }
            }
            try await group.waitForAll()
        }
        let store = try await StoreBench.open(address)
        #expect(try await store.list(after: nil, limit: 100).count == 12)
        #expect(try await execute("SELECT version FROM authkit_schema", at: address) == "1")
    }

    @Test func `a store that is opened again keeps what it had`() async throws {
        let address = try await StoreBench.freshAddress()
        let record = try StoreBench.record()
        let store = try await StoreBench.open(address)
        try await store.save(record, replacing: nil, under: nil)
        await store.close()
        #expect(await code { _ = try await store.load(record.key) } == .inputOutput)
        #expect(try await StoreBench.open(address).load(record.key) == record)
    }

    @Test func `tables of a newer version are left alone`() async throws {
        let address = try await StoreBench.freshAddress()
        await (try await StoreBench.open(address)).close()
        try await execute("UPDATE authkit_schema SET version = 99", at: address)
        #expect(await code { _ = try await StoreBench.open(address) } == .newerFormat)
        #expect(try await execute("SELECT version FROM authkit_schema", at: address) == "99")
    }

    @Test func `never more connections are open than allowed`() async throws {
        let address = try await StoreBench.freshAddress() + "&application_name=bounded"
        let store = try await StoreBench.open(address) { $0.connectionLimit = 3 }
        let record = try StoreBench.record(payload: [UInt8](repeating: 1, count: 100_000))
        try await store.save(record, replacing: nil, under: nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let loaded = try await store.load(record.key)
                    #expect(loaded == record)
                }
                // Saves have the connection that is kept for them as well.
                group.addTask {
                    let refusal = await code { try await store.save(record, replacing: nil, under: nil) }
                    #expect(refusal == .conflict)
                }
            }
            try await group.waitForAll()
        }
        let open = try await execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'bounded' AND pid <> pg_backend_pid()",
            at: address
        )
        #expect(open == "3")
    }

    @Test func `a call that is cancelled while it waits for a connection ends`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) { $0.connectionLimit = 1 }
        let tasks = (0..<50).map { _ in Task { try await store.probe() } }
        for task in tasks { task.cancel() }
        for task in tasks {
            do { try await task.value } catch { #expect(error is CancellationError) }
        }
        try await store.probe()
    }

    @Test func `a save that returned is flushed though the server's default is not to`() async throws {
        let server = try await PrivateServer.shared.value.address
        try await execute("CREATE ROLE hasty SUPERUSER LOGIN PASSWORD 'hasty'", at: server)
        try await execute("ALTER ROLE hasty SET synchronous_commit = off", at: server)
        let address = try await StoreBench.freshAddress()
        let start = try #require(address.firstRange(of: "//")).upperBound
        let end = try #require(address.firstIndex(of: "@"))
        var hasty = address
        hasty.replaceSubrange(start..<end, with: "hasty:hasty")
        try #require(try await execute("SHOW synchronous_commit", at: hasty) == "off")
        let store = try await StoreBench.open(hasty) { $0.connectionLimit = 1 }
        // What a session of the store has is kept in a record's place by a trigger.
        try await execute("CREATE TABLE seen AS SELECT ''::text AS setting", at: address)
        try await execute(
            """
            CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN UPDATE seen SET setting = current_setting(''synchronous_commit''); RETURN NEW; END';
            CREATE TRIGGER see BEFORE INSERT ON authkit_records FOR EACH ROW EXECUTE FUNCTION see();
            """,
            at: address
        )
        try await store.save(try StoreBench.record(), replacing: nil, under: nil)
        #expect(try await execute("SELECT setting FROM seen", at: address) == "on")
    }
}
#endif
