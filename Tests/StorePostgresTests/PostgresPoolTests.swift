#if Postgres
import AuthKitCore
import PostgresTestServer
import StorePostgres
import Testing

/// Who gets a connection while all are in use.
@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(2)))
struct PostgresPoolTests {
    @Test func `a call that waits too long for a connection is told what to do`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) { options in
            options.connectionLimit = 1
            options.connectionWait = .milliseconds(200)
        }
        let other = try RawSession(address)
        try other.execute("BEGIN; LOCK TABLE authkit_records IN ACCESS EXCLUSIVE MODE")
        let first = Task { try await store.load(.header) }
        try await Self.waitForLocks(1, other)
        let start = ContinuousClock.now
        let error = await storeError { _ = try await store.load(.header) }
        #expect(error?.code == .busy)
        #expect(error?.detail.contains("try again, or allow more connections") == true)
        #expect((.milliseconds(200)...Duration.seconds(8)).contains(ContinuousClock.now - start))
        try other.execute("ROLLBACK")
        _ = try await first.value
        // The connection is lent again.
        #expect(try await store.load(.header) == nil)
    }

    @Test func `leases do not wait behind a bulk of other calls`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) { $0.connectionLimit = 3 }
        let key = try StoreBench.record().key
        let held = try await store.lease(key, for: .refresh, waiting: .zero)
        let other = try RawSession(address)
        try other.execute("BEGIN; LOCK TABLE authkit_records IN ACCESS EXCLUSIVE MODE")
        let bulk = (0..<20).map { _ in Task { try await store.load(.header) } }
        try await Self.waitForLocks(2, other)
        let start = ContinuousClock.now
        try await held.confirm()
        try await held.extend()
        let next = try await store.lease(key, for: .signIn, waiting: .zero)
        await next.release()
        await held.release()
        #expect(ContinuousClock.now - start < .seconds(5))
        try other.execute("ROLLBACK")
        for load in bulk { #expect(try await load.value == nil) }
    }

    @Test func `of those that wait for a connection saves come first`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) { $0.connectionLimit = 1 }
        let record = try StoreBench.record()
        let other = try RawSession(address)
        try other.execute("BEGIN; LOCK TABLE authkit_records IN ACCESS EXCLUSIVE MODE")
        let bulk = Task { try await store.load(record.key) }
        try await Self.waitForLocks(1, other)
        let behind = (0..<10).map { _ in Task.immediate { try await store.load(record.key) } }
        let save = Task.immediate { try await store.save(record, replacing: nil, under: nil) }
        try other.execute("ROLLBACK")
        try await save.value
        #expect(try await bulk.value == nil)
        // They came earlier and found what was saved.
        for load in behind { #expect(try await load.value == record) }
    }

    /// Waits until so many sessions wait for a lock.
    private static func waitForLocks(_ count: Int, _ session: RawSession) async throws {
        for _ in 0..<1000 {
            let waiting = try session.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'authkit_records'::regclass"
            )
            if waiting == "\(count)" { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("Nobody waits for the lock.")
    }
}
#endif
