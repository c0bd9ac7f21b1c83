#if Postgres
import AuthKitCore
import AuthKitTesting
import PostgresTestServer
import StorePostgres
import Testing

@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(2)))
struct PostgresClaimTests {
    @Test func `claimers of several stores get all that is due, each record once`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address)
        for number in 1...200 {
            let record = try StoreBench.record(number: UInt8(number), due: WallTime(seconds: Int64(number)))
            try await store.save(record, replacing: nil, under: nil)
        }
        let claimed = try await withThrowingTaskGroup(of: [RecordKey].self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let mine = try await StoreBench.open(address)
                    var keys: [RecordKey] = []
                    while true {
                        let next = try await mine.claimDue(before: nil, limit: 7, for: .seconds(600))
                        if next.isEmpty { return keys }
                        keys += next.map(\.key)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.count == 200)
        #expect(Set(claimed).count == 200)
    }

    @Test func `a claimer that is in the middle of a claim holds up no other`() async throws {
        let address = try await StoreBench.freshAddress()
        let store = try await StoreBench.open(address)
        for number in 1...4 {
            let record = try StoreBench.record(number: UInt8(number), due: WallTime(seconds: Int64(number)))
            try await store.save(record, replacing: nil, under: nil)
        }
        let other = try RawSession(address)
        try other.execute("BEGIN")
        try other.execute("SELECT * FROM authkit_records ORDER BY due_seconds LIMIT 2 FOR UPDATE")
        let claimed = try await store.claimDue(before: nil, limit: 10, for: .seconds(600))
        let expected = try [3, 4].map { try StoreBench.record(number: $0).key }
        #expect(claimed.map(\.key) == expected)
        try other.execute("ROLLBACK")
        #expect(try await store.claimDue(before: nil, limit: 10, for: .seconds(600)).count == 2)
    }

    @Test func `what is in doubt is claimed before what has been due for longer`() async throws {
        let store = try await StoreBench.freshStore()
        for number in 1...6 {
            var record = try StoreBench.record(number: UInt8(number), due: WallTime(seconds: Int64(number)))
            record.reserve = number > 4 ? 1 : 0
            try await store.save(record, replacing: nil, under: nil)
        }
        var claims: [[RecordKey]] = []
        for _ in 0..<3 {
            claims.append(try await store.claimDue(before: nil, limit: 3, for: .seconds(600)).map(\.key))
        }
        let expected = try [[1, 5, 6], [2, 3, 4], []].map { try $0.map { try StoreBench.record(number: $0).key } }
        #expect(claims == expected)
        // Saved without a reserve it waits like the others.
        let calm = try StoreBench.record(number: 5, revision: 2, due: WallTime(seconds: 9))
        let before = try StoreBench.record(number: 5).version
        try await store.save(calm, replacing: before, under: nil)
        let first = try StoreBench.record(number: 1, revision: 2, due: WallTime(seconds: 1))
        try await store.save(first, replacing: try StoreBench.record(number: 1).version, under: nil)
        #expect(try await store.claimDue(before: nil, limit: 1, for: .zero).map(\.key) == [first.key])
    }

    @Test func `what is due and when a claim lapses is told by the server's clock`() async throws {
        let address = try await StoreBench.freshAddress()
        // The clock of this machine says 1970 and stands still.
        let store = try await StoreBench.open(address) { $0.time = ManualTime(wall: WallTime(seconds: 0)) }
        let now = Int64(try #require(try await execute("SELECT extract(epoch FROM now())::int8", at: address)))
        let moment = try #require(now)
        let due = try StoreBench.record(number: 1, due: WallTime(seconds: moment - 1))
        let later = try StoreBench.record(number: 2, due: WallTime(seconds: moment + 3600))
        for record in [due, later] { try await store.save(record, replacing: nil, under: nil) }
        #expect(try await store.claimDue(before: nil, limit: 10, for: .milliseconds(300)).map(\.key) == [due.key])
        var again: [SealedRecord] = []
        for _ in 0..<1000 where again.isEmpty {
            again = try await store.claimDue(before: nil, limit: 10, for: .seconds(600))
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(again.map(\.key) == [due.key])
    }
}
#endif
