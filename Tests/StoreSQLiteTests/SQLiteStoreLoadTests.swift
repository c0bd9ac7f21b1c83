import AuthKitCore
import Dispatch
import Foundation
import StoreSQLite
import StoreTestSupport
import Testing

/// On which thread a record is read.
@Suite(.timeLimit(.minutes(2))) struct SQLiteStoreLoadTests {
    @Test func `a load does not wait for the store's thread`() async throws {
        try await withPlace { place in
            let store = try await SQLiteStore.open(path: "\(place)/store.db")
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let occupation = Task { await store.occupy(begun, until: end) }
            let isOccupied = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: begun.wait(timeout: .now() + 60)) }
            }
            #expect(isOccupied == .success)
            #expect(try await store.load(record.key) == record)
            end.signal()
            #expect(await occupation.value == .success)
        }
    }

    @Test func `a record that is not there, or that is not ours, is told from the store's thread`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            var options = SQLiteStore.Options()
            options.busyTimeout = .milliseconds(300)
            let store = try await SQLiteStore.open(path: path, options: options)
            let record = try Sample.record(revision: 1)
            #expect(try await store.load(record.key) == nil)
            try await store.save(record, replacing: nil, under: nil)
            let raw = try RawDatabase(path: path)
            try raw.execute("PRAGMA ignore_check_constraints = ON")
            try raw.execute("UPDATE records SET incarnation = x'00'")
            for _ in 0..<3 { #expect(await code { _ = try await store.load(record.key) } == .corrupt) }
            // A read that failed leaves the connection free, and its waits for other writers as they were.
            try raw.execute("BEGIN IMMEDIATE")
            let start = ContinuousClock.now
            #expect(await code { try await store.probe() } == .busy)
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            try raw.execute("ROLLBACK")
            try await store.probe()
        }
    }

    @Test func `a schema that another process changed is seen by the next load`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            #expect(try await store.load(record.key) == record)
            try RawDatabase(path: path).execute("ALTER TABLE records RENAME TO others")
            #expect(await code { _ = try await store.load(record.key) } == .inputOutput)
            try RawDatabase(path: path).execute("ALTER TABLE others RENAME TO records")
            #expect(try await store.load(record.key) == record)
        }
    }

    @Test func `loads and saves at once see whole records, and what was saved before`() async throws {
        try await withPlace { place in
            let store = try await SQLiteStore.open(path: "\(place)/store.db")
            let last: Int64 = 200
            let first = try Sample.record(revision: 1, payload: [UInt8](repeating: 1, count: 9000))
            try await store.save(first, replacing: nil, under: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var before = first.version
                    for revision in 2...last {
                        let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: revision), count: 9000)
                        let record = try Sample.record(revision: revision, payload: payload)
                        try await store.save(record, replacing: before, under: nil)
                        #expect(try await store.load(record.key) == record)
                        before = record.version
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        var seen: Int64 = 0
                        while seen < last {
                            let record = try #require(try await store.load(first.key))
                            #expect(record.version.revision >= seen)
                            seen = record.version.revision
                            let byte = UInt8(truncatingIfNeeded: seen)
                            #expect(record.payload == [UInt8](repeating: byte, count: 9000))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension SQLiteStore {
    /// Keeps the store's thread from everything else.
    fileprivate func occupy(_ begun: DispatchSemaphore, until end: DispatchSemaphore) -> DispatchTimeoutResult {
        begun.signal()
        return end.wait(timeout: .now() + 60)
    }
}
