#if Postgres
import AuthKitCore
import AuthKitTesting
import PostgresTestServer
import StorePostgres
import Testing

/// Leases that lapse: their keepers stand still with a clock that stands still, as a stopped process does.
@Suite(
    .enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable },
    .timeLimit(.minutes(2)),
    .serialized
)
struct PostgresLeaseTests {
    @Test func `the late save of a holder that stood still is refused and changes nothing`() async throws {
        let address = try await StoreBench.freshAddress()
        let stopped = try await StoreBench.open(address) { $0.time = ManualTime() }
        let other = try await StoreBench.open(address) { $0.leaseDuration = .seconds(600) }
        let record = try StoreBench.record()
        try await other.save(record, replacing: nil, under: nil)

        let late = try await stopped.lease(record.key, for: .refresh, waiting: .zero)
        let waiter = Task { try await other.lease(record.key, for: .refresh, waiting: .seconds(60)) }
        try await lapse(at: address)
        let next = try await waiter.value
        let (older, newer) = (try #require(late.fencingNumber), try #require(next.fencingNumber))
        #expect(newer > older)
        #expect(await code { try await late.confirm() } == .leaseLost)
        let change = try StoreBench.record(revision: 2, payload: [66])
        #expect(await code { try await stopped.save(change, replacing: record.version, under: late) } == .leaseLost)
        #expect(try await other.load(record.key) == record)
        #expect(await code { try await late.extend() } == .leaseLost)
        await late.release()
        try await next.confirm()
        try await other.save(change, replacing: record.version, under: next)
        await next.release()
    }

    @Test func `a save under a number that is not its holder's any more is refused by the row alone`() async throws {
        let address = try await StoreBench.freshAddress()
        let stopped = try await StoreBench.open(address) { $0.time = ManualTime() }
        let record = try StoreBench.record()
        let late = try await stopped.lease(record.key, for: .refresh, waiting: .zero)
        try await lapse(at: address)
        let other = try await StoreBench.open(address) { $0.leaseDuration = .seconds(600) }
        let next = try await other.lease(record.key, for: .refresh, waiting: .zero)
        // No call before has told the late one.
        #expect(await code { try await stopped.save(record, replacing: nil, under: late) } == .leaseLost)
        #expect(try await other.load(record.key) == nil)
        try await next.confirm()
        await next.release()
    }

    @Test func `a save under a lease that lapsed is refused though nobody else took it`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) {
            $0.leaseDuration = .seconds(600)
            $0.time = ManualTime()
        }
        let record = try StoreBench.record()
        let lease = try await store.lease(record.key, for: .refresh, waiting: .zero)
        try await lapse(at: address)
        #expect(await code { try await store.save(record, replacing: nil, under: lease) } == .leaseLost)
        #expect(try await store.load(record.key) == nil)
        // Its holder can take it anew, without having given the old one back.
        let again = try await store.lease(record.key, for: .refresh, waiting: .zero)
        try await store.save(record, replacing: nil, under: again)
        await again.release()
        await lease.release()
    }

    @Test func `a lease lapses by itself and is had by who waits for it`() async throws {
        let address = try await StoreBench.freshAddress()
        let stopped = try await StoreBench.open(address) {
            $0.leaseDuration = .milliseconds(300)
            $0.time = ManualTime()
        }
        let late = try await stopped.lease(.header, for: .refresh, waiting: .zero)
        let other = try await StoreBench.open(address)
        let next = try await other.lease(.header, for: .refresh, waiting: .seconds(60))
        #expect(await code { try await late.confirm() } == .leaseLost)
        await next.release()
    }

    @Test func `a lease that is held is kept alive beyond its duration`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) { $0.leaseDuration = .seconds(4) }
        let record = try StoreBench.record()
        let lease = try await store.lease(record.key, for: .refresh, waiting: .zero)
        let end = { try await execute("SELECT expires_at FROM authkit_leases", at: address) }
        let first = try await end()
        // Extended without a word from its holder, in the first third of its time.
        for _ in 0..<300 where try await end() == first { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await end() != first)
        await lease.release()
        #expect(try await end() == nil)
    }

    @Test func `extending puts the end off`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) {
            $0.leaseDuration = .seconds(600)
            $0.time = ManualTime()
        }
        let lease = try await store.lease(.header, for: .refresh, waiting: .zero)
        try await execute("UPDATE authkit_leases SET expires_at = clock_timestamp() + interval '9 s'", at: address)
        try await lease.extend()
        let left = "SELECT expires_at > clock_timestamp() + interval '500 s' FROM authkit_leases"
        #expect(try await execute(left, at: address) == "t")
        await lease.release()
    }

    @Test func `a lease that is dropped without a word is given back`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) { $0.leaseDuration = .seconds(3600) }
        do {
            let lease = try await store.lease(.header, for: .refresh, waiting: .zero)
            try await lease.confirm()
        }
        let other = try await StoreBench.open(address)
        await (try await other.lease(.header, for: .refresh, waiting: .seconds(30))).release()
    }

    @Test func `a lease is given back by a task that was cancelled`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address) { $0.leaseDuration = .seconds(3600) }
        let lease = try await store.lease(.header, for: .refresh, waiting: .zero)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await lease.release()
        }
        task.cancel()
        await task.value
        await (try await StoreBench.open(address).lease(.header, for: .refresh, waiting: .zero)).release()
    }

    @Test func `fencing numbers grow from holder to holder, whatever the key`() async throws {
        let address = try await StoreBench.freshAddress()
        var last: Int64 = 0
        for number in 1...20 {
            let store = try await StoreBench.open(address) { $0.connectionLimit = 1 }
            let key = try StoreBench.record(number: UInt8(number % 3)).key
            let lease = try await store.lease(key, for: .refresh, waiting: .zero)
            let fencing = try #require(lease.fencingNumber)
            #expect(fencing > last)
            last = fencing
            await lease.release()
            await store.close()
        }
    }

    @Test func `a lease of another store is none here`() async throws {
        let store = try await StoreBench.freshStore()
        let record = try StoreBench.record()
        let lease = try await InMemoryStore().lease(record.key, for: .refresh, waiting: .zero)
        #expect(await code { try await store.save(record, replacing: nil, under: lease) } == .leaseLost)
        let other = try await StoreBench.freshStore().lease(record.key, for: .refresh, waiting: .zero)
        #expect(await code { try await store.save(record, replacing: nil, under: other) } == .leaseLost)
        #expect(try await store.load(record.key) == nil)
    }

    /// Lets all leases end now, as if their time had passed.
    private func lapse(at address: String) async throws {
        try await execute(
            "UPDATE authkit_leases SET duration = '0', expires_at = clock_timestamp() - interval '1 s'",
            at: address
        )
    }
}
#endif
