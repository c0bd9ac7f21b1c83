#if Postgres
import AuthKitCore
import PostgresTestServer
import Testing

@testable import StorePostgres

/// Tables of the version before, taken forward by a migration that the store does not have yet.
@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(2)))
struct PostgresSchemaTests {
    /// A migration that takes a while, cannot run twice, and leaves a row that tells that it ran.
    static let next = """
        ALTER TABLE authkit_records ADD COLUMN note text NOT NULL DEFAULT 'kept';
        SELECT pg_sleep(0.1);
        CREATE TABLE ran AS SELECT 1::int8 AS once;

        """
    /// Migrations that do not come to their end: a mistake, a connection that breaks, a mistake in the one behind it.
    static let interrupted = [
        [next + "SELECT 1 / 0"], [next + "SELECT pg_terminate_backend(pg_backend_pid())"], [next, "SELECT 1 / 0"],
    ]

    private static var known: Int { PostgresSchema.migrations.count }

    /// Opens a store that knows more migrations than this version does.
    private static func open(_ address: String, _ more: [String]) async throws -> PostgresStore {
        try await PostgresStore.open(
            address,
            options: PostgresStore.Options(),
            migrations: PostgresSchema.migrations + more
        )
    }

    /// The version that the tables have.
    private static func version(at address: String) async throws -> String? {
        try await execute("SELECT version FROM authkit_schema", at: address)
    }

    @Test func `tables of an older version come forward and keep what they hold`() async throws {
        let address = try await StoreBench.freshAddress()
        let older = try await StoreBench.open(address)
        let record = try StoreBench.record(due: WallTime(seconds: 77))
        try await older.save(record, replacing: nil, under: nil)
        #expect(try await Self.version(at: address) == "\(Self.known)")

        let newer = try await Self.open(address, [Self.next])
        #expect(try await Self.version(at: address) == "\(Self.known + 1)")
        #expect(try await execute("SELECT note FROM authkit_records", at: address) == "kept")
        #expect(try await newer.load(record.key) == record)
        let change = try StoreBench.record(revision: 2, due: WallTime(seconds: 78))
        try await newer.save(change, replacing: record.version, under: nil)
        // Who had it open before goes on with it.
        #expect(try await older.load(record.key) == change)
        // Another time there is nothing to do.
        #expect(try await Self.open(address, [Self.next]).load(record.key) == change)
    }

    @Test(arguments: interrupted)
    func `a migration that does not come to its end is taken back whole`(_ migrations: [String]) async throws {
        let address = try await StoreBench.freshAddress()
        let older = try await StoreBench.open(address)
        let record = try StoreBench.record()
        try await older.save(record, replacing: nil, under: nil)

        let refusal = await code { _ = try await Self.open(address, migrations) }
        #expect(refusal == (migrations[0].contains("terminate") ? .unavailable : .inputOutput))
        #expect(try await Self.version(at: address) == "\(Self.known)")
        #expect(try await execute("SELECT to_regclass('ran') IS NULL", at: address) == "t")
        let columns = """
            SELECT count(*) FROM information_schema.columns
            WHERE table_schema = current_schema() AND column_name = 'note'
            """
        #expect(try await execute(columns, at: address) == "0")
        #expect(try await older.load(record.key) == record)
        // Nothing of it is in the way of the next try.
        #expect(try await Self.open(address, [Self.next]).load(record.key) == record)
        #expect(try await Self.version(at: address) == "\(Self.known + 1)")
    }

    @Test func `of several that open older tables at once one takes them forward, and all get in`() async throws {
        let address = try await StoreBench.freshAddress()
        let record = try StoreBench.record()
        try await StoreBench.open(address).save(record, replacing: nil, under: nil)
        try await withThrowingTaskGroup(of: SealedRecord?.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let store = try await Self.open(address, [Self.next])
                    let loaded = try await store.load(record.key)
                    await store.close()
                    return loaded
                }
            }
            for try await loaded in group { #expect(loaded == record) }
        }
        #expect(try await execute("SELECT count(*) FROM ran", at: address) == "1")
        #expect(try await Self.version(at: address) == "\(Self.known + 1)")
    }

    @Test func `tables of a version that is not known are refused in words and left as they are`() async throws {
        let address = try await StoreBench.freshAddress()
        let newer = try await Self.open(address, [Self.next])
        let record = try StoreBench.record()
        try await newer.save(record, replacing: nil, under: nil)
        let error = await storeError { _ = try await StoreBench.open(address) }
        #expect(error?.code == .newerFormat)
        #expect(error?.detail.contains("was made by a newer version of AuthKit; update this one") == true)
        #expect(try await Self.version(at: address) == "\(Self.known + 1)")
        #expect(try await newer.load(record.key) == record)
    }
}
#endif
