import AuthKitCore
import AuthKitTesting
import Foundation
import StoreSQLite
import StoreTestSupport
import Testing

@Suite struct SQLiteStoreTests {
    @Test(arguments: TokenStoreConformance.all + TokenStoreConformance.due)
    func `meets the store contract`(_ rule: TokenStoreConformance.Rule) async throws {
        try await withPlace { place in
            try await rule.check { try await SQLiteStore.open(path: "\(place)/store.db") }
        }
    }

    @Test func `two stores on one file see each other's writes and exclude each other's leases`() async throws {
        try await withPlace { place in
            let first = try await SQLiteStore.open(path: "\(place)/store.db")
            let second = try await SQLiteStore.open(path: "\(place)/store.db")
            let record = try Sample.record(revision: 1)
            try await first.save(record, replacing: nil, under: nil)
            #expect(try await second.load(record.key) == record)
            let next = try Sample.record(revision: 2)
            try await second.save(next, replacing: record.version, under: nil)
            #expect(try await first.load(record.key) == next)
            #expect(await code { try await first.save(next, replacing: record.version, under: nil) } == .conflict)

            let lease = try await first.lease(record.key, for: .refresh, waiting: .zero)
            #expect(await code { _ = try await second.lease(record.key, for: .refresh, waiting: .zero) } == .busy)
            await lease.release()
            try await second.lease(record.key, for: .refresh, waiting: .zero).release()
        }
    }

    @Test func `a closed store keeps what it had and answers no more`() async throws {
        try await withPlace { place in
            let record = try Sample.record(revision: 1)
            let store = try await SQLiteStore.open(path: "\(place)/store.db")
            try await store.save(record, replacing: nil, under: nil)
            await store.close()
            await store.close()
            #expect(await code { _ = try await store.load(record.key) } == .inputOutput)
            let again = try await SQLiteStore.open(path: "\(place)/store.db")
            #expect(try await again.load(record.key) == record)
        }
    }

    @Test func `a file that was removed is not written to`() async throws {
        try await withPlace { place in
            let store = try await SQLiteStore.open(path: "\(place)/store.db")
            try FileManager.default.removeItem(atPath: "\(place)/store.db")
            #expect(await code { try await store.probe() } == .inputOutput)
            let record = try Sample.record(revision: 1)
            #expect(await code { try await store.save(record, replacing: nil, under: nil) } == .inputOutput)
        }
    }

    @Test func `a claim ends with the boot and is not moved by the wall clock`() async throws {
        try await withPlace { place in
            let time = ManualTime()
            var options = SQLiteStore.Options()
            options.time = time
            try await ClaimClock.check(try await SQLiteStore.open(path: "\(place)/store.db", options: options), time)
        }
    }

    @Test func `eight stores make one file at once`() async throws {
        try await withPlace { place in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 {
                    group.addTask {
                        let store = try await SQLiteStore.open(path: "\(place)/new/store.db")
                        try await store.save(
                            try Sample.record(number: UInt8(number), revision: 1),
                            replacing: nil,
                            under: nil
                        )
                    }
                }
                try await group.waitForAll()
            }
            let store = try await SQLiteStore.open(path: "\(place)/new/store.db")
            #expect(try await store.list(after: nil, limit: 100).count == 8)
        }
    }

    @Test func `a writer that does not end makes others busy, within the bound`() async throws {
        try await withPlace { place in
            var options = SQLiteStore.Options()
            options.busyTimeout = .milliseconds(50)
            let store = try await SQLiteStore.open(path: "\(place)/store.db", options: options)
            let other = try RawDatabase(path: "\(place)/store.db")
            try other.execute("BEGIN IMMEDIATE")
            let start = ContinuousClock.now
            #expect(await code { try await store.probe() } == .busy)
            let record = try Sample.record(revision: 1)
            #expect(await code { try await store.save(record, replacing: nil, under: nil) } == .busy)
            #expect(ContinuousClock.now - start < .seconds(20))
            try other.execute("ROLLBACK")
            try await store.save(record, replacing: nil, under: nil)
        }
    }
}
