import AuthKitCore
import Foundation
import StoreSQLite
import StoreTestSupport
import Testing

@Suite struct SQLiteStoreFormatTests {
    @Test func `a store of a newer version is refused and left as it is`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            try await SQLiteStore.open(path: path).close()
            try RawDatabase(path: path).execute("PRAGMA user_version = 7")
            let error = await storeError { _ = try await SQLiteStore.open(path: path) }
            #expect(error?.code == .newerFormat)
            #expect(error?.detail.contains("format 7") == true)
            try RawDatabase(path: path).execute("PRAGMA user_version = 2")
            _ = try await SQLiteStore.open(path: path)
        }
    }

    @Test func `a store of version 1 is taken over with its records and claims what is due`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            try makeFile(path, Data())
            try VersionOne.make(path)
            let store = try await SQLiteStore.open(path: path)
            let first = try #require(try await store.load(VersionOne.key))
            #expect(first.version.revision == 41)
            #expect(first.payload == Array("payload".utf8))
            #expect(try await store.list(after: nil, limit: 10).count == 2)
            #expect(try await store.claimDue(before: nil, limit: 10, for: .seconds(600)).map(\.key) == [first.key])
            let next = SealedRecord(
                key: first.key,
                version: RecordVersion(incarnation: first.version.incarnation, revision: 42),
                keyID: first.keyID,
                issuerHash: first.issuerHash,
                due: nil,
                metadata: [],
                payload: []
            )
            try await store.save(next, replacing: first.version, under: nil)
            await store.close()
            let raw = try RawDatabase(path: path)
            #expect(try raw.text("PRAGMA user_version") == "2")
            #expect(try raw.text("PRAGMA integrity_check") == "ok")
            #expect(try await SQLiteStore.open(path: path).load(next.key) == next)
        }
    }

    @Test func `eight processes' worth of stores take one file of version 1 over at once`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            try makeFile(path, Data())
            try VersionOne.make(path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let store = try await SQLiteStore.open(path: path)
                        #expect(try await store.load(VersionOne.key)?.version.revision == 41)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a database of another program is refused and left as it is`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            try makeFile(path, Data())
            try RawDatabase(path: path).execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
            let before = FileManager.default.contents(atPath: path)
            #expect(await code { _ = try await SQLiteStore.open(path: path) } == .corrupt)
            #expect(FileManager.default.contents(atPath: path) == before)
        }
    }

    @Test func `a file that is no database is refused and left as it is`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let text = Data(String(repeating: "not a database ", count: 500).utf8)
            try makeFile(path, text)
            let error = await storeError { _ = try await SQLiteStore.open(path: path) }
            #expect(error?.code == .corrupt)
            #expect(error?.detail.contains(path) == true)
            #expect(FileManager.default.contents(atPath: path) == text)
        }
    }

    @Test func `a row that cannot be ours is corrupt, and others stay readable`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            let good = try Sample.record(number: 1, revision: 1)
            let bad = try Sample.record(number: 2, revision: 1)
            try await store.save(good, replacing: nil, under: nil)
            try await store.save(bad, replacing: nil, under: nil)
            let raw = try RawDatabase(path: path)
            try raw.execute("PRAGMA ignore_check_constraints = ON")
            try raw.execute(
                "UPDATE records SET incarnation = x'00' WHERE key = x'\(String(repeating: "02", count: 32))'"
            )
            #expect(await code { _ = try await store.load(bad.key) } == .corrupt)
            #expect(try await store.load(good.key) == good)
        }
    }

    @Test func `what is overwritten or removed does not stay in the files`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            let mark = Array("a mark that is easy to find".utf8)
            let record = try Sample.record(revision: 1, payload: Array(repeatElement(mark, count: 1000).joined()))
            try await store.save(record, replacing: nil, under: nil)
            try await store.save(try Sample.record(revision: 2), replacing: record.version, under: nil)
            await store.close()
            for name in try FileManager.default.contentsOfDirectory(atPath: place) {
                let contents = try #require(FileManager.default.contents(atPath: "\(place)/\(name)"))
                #expect(contents.range(of: Data(mark)) == nil, "\(name)")
            }
        }
    }
}
