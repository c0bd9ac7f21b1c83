import AuthKitCore
import Foundation
import StoreSQLite
import StoreTestSupport
import Testing

/// When disk space that was held for promised saves is given back.
@Suite struct SQLiteStoreRoomTests {
    private func held(_ place: String) -> Int? {
        FileManager.default.contents(atPath: "\(place)/store.db.room")?.count
    }

    @Test func `what a process that died left is given back by the first save`() async throws {
        try await withPlace { place in
            let store = try await SQLiteStore.open(path: "\(place)/store.db")
            try makeFile("\(place)/store.db.room", Data(count: 5000))
            try await store.save(try Sample.record(revision: 1), replacing: nil, under: nil)
            #expect(held(place) == 0)
        }
    }

    @Test func `a promise to one store that another keeps is given back`() async throws {
        try await withPlace { place in
            let first = try await SQLiteStore.open(path: "\(place)/store.db")
            let second = try await SQLiteStore.open(path: "\(place)/store.db")
            let other = try Sample.record(number: 2, revision: 1)
            try await second.save(other, replacing: nil, under: nil)
            let intent = try Sample.record(revision: 1, reserve: 10_000)
            try await first.save(intent, replacing: nil, under: nil)
            #expect(try #require(held(place)) > 10_000)
            // Of another record: the promise stays.
            let next = try Sample.record(number: 2, revision: 2)
            try await second.save(next, replacing: other.version, under: nil)
            #expect(try #require(held(place)) > 10_000)
            try await second.save(try Sample.record(revision: 2), replacing: intent.version, under: nil)
            #expect(held(place) == 0)
        }
    }

    @Test func `a save that conflicts makes no promise`() async throws {
        try await withPlace { place in
            let store = try await SQLiteStore.open(path: "\(place)/store.db")
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let intent = try Sample.record(revision: 3, reserve: 10_000)
            for expected in [nil, RecordVersion(incarnation: record.version.incarnation, revision: 2)] {
                #expect(await code { try await store.save(intent, replacing: expected, under: nil) } == .conflict)
            }
            #expect(held(place) ?? 0 == 0)
            #expect(try await store.load(record.key) == record)
        }
    }
}
