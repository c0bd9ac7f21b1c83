import AuthKitCore
import Foundation
import Glibc
import StoreSQLite
import StoreTestSupport
import Testing

/// On a file system of two mebibytes that is filled to the last block.
@Suite(.enabled(if: SmallDisk.isPossible, "a small file system can be mounted by root only"))
struct SQLiteStoreFullDiskTests {
    @Test func `a promised save works on a disk that became full`() async throws {
        try await SmallDisk.with { place in
            let store = try await SQLiteStore.open(path: "\(place)/d/store.db")
            var before: RecordVersion?
            // Again and again: room that was used must be got back by the next promise.
            for round in 0..<3 as Range<Int64> {
                let intent = try Sample.record(revision: 2 * round + 1, payload: Self.bytes(4000), reserve: 65_536)
                try await store.save(intent, replacing: before, under: nil)
                let filler = try SmallDisk.fill(place)
                let answer = try Sample.record(revision: 2 * round + 2, payload: Self.bytes(65_536))
                try await store.save(answer, replacing: intent.version, under: nil)
                #expect(try await store.load(answer.key) == answer)
                try FileManager.default.removeItem(atPath: filler)
                before = answer.version
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(place)/d/store.db.room")).isEmpty)
        }
    }

    @Test func `promises to two records are both kept`() async throws {
        try await SmallDisk.with { place in
            let stores = [
                try await SQLiteStore.open(path: "\(place)/d/store.db"),
                try await SQLiteStore.open(path: "\(place)/d/store.db"),
            ]
            for (number, store) in stores.enumerated() {
                let intent = try Sample.record(number: UInt8(number + 1), revision: 1, reserve: 16_384)
                try await store.save(intent, replacing: nil, under: nil)
            }
            _ = try SmallDisk.fill(place)
            for (number, store) in stores.enumerated() {
                let version = try Sample.record(revision: 1).version
                let answer = try Sample.record(number: UInt8(number + 1), revision: 2, payload: Self.bytes(16_384))
                try await store.save(answer, replacing: version, under: nil)
                #expect(try await store.load(answer.key) == answer)
            }
        }
    }

    @Test func `a save without a promise says that the disk is full and changes nothing`() async throws {
        try await SmallDisk.with { place in
            let store = try await SQLiteStore.open(path: "\(place)/d/store.db")
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let filler = try SmallDisk.fill(place)
            let larger = try Sample.record(revision: 2, payload: Self.bytes(100_000))
            #expect(await code { try await store.save(larger, replacing: record.version, under: nil) } == .full)
            #expect(try await store.load(record.key) == record)
            try FileManager.default.removeItem(atPath: filler)
            try await store.save(larger, replacing: record.version, under: nil)
            #expect(try await store.load(record.key) == larger)
        }
    }

    @Test func `a promise that cannot be made is refused and changes nothing`() async throws {
        try await SmallDisk.with { place in
            let store = try await SQLiteStore.open(path: "\(place)/d/store.db")
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let intent = try Sample.record(revision: 2, reserve: 4 << 20)
            #expect(await code { try await store.save(intent, replacing: record.version, under: nil) } == .full)
            #expect(try await store.load(record.key) == record)
            try await store.probe()
        }
    }

    @Test func `no store is made on a full disk`() async throws {
        try await SmallDisk.with { place in
            _ = try SmallDisk.fill(place)
            #expect(await code { _ = try await SQLiteStore.open(path: "\(place)/d/store.db") } == .full)
        }
    }

    @Test func `a probe says that the disk is full`() async throws {
        try await SmallDisk.with { place in
            let store = try await SQLiteStore.open(path: "\(place)/d/store.db")
            _ = try SmallDisk.fill(place)
            var outcome: StoreError.Code?
            // The log has room in its last block for a few frames.
            for _ in 0..<10 where outcome == nil { outcome = await code { try await store.probe() } }
            #expect(outcome == .full)
        }
    }

    @Test func `a read-only place is refused in one sentence with an alternative`() async throws {
        try await SmallDisk.with { place in
            try await SQLiteStore.open(path: "\(place)/d/store.db").close()
            try #require(unsafe mount("none", place, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
            for path in ["\(place)/d/store.db", "\(place)/new/store.db"] {
                let error = await storeError { _ = try await SQLiteStore.open(path: path) }
                #expect(error?.code == .cannotCreate)
                #expect(error?.detail.contains("memory:") == true)
            }
        }
    }

    @Test func `an answer is stored on a disk that became full after the token was sent`() async throws {
        try await SmallDisk.with { place in
            let store = try await SQLiteStore.open(path: "\(place)/d/store.db")
            let issuer = RotatingIssuer(afterAnswer: { _ = try SmallDisk.fill(place) })
            let rig = try await RefreshRig(store, issuer: issuer)
            let issued = try await rig.session(.fail).token()
            #expect(issued.token.value.reveal() == "access-2")
            #expect(try await rig.storedToken() == "refresh-2")
        }
    }

    @Test(
        .enabled(if: Immutability.isPossible, "only root can make files immutable, and not on every file system"),
        .timeLimit(.minutes(1))
    )
    func `an answer is served unsaved while its place is read-only, and stored when that ends`() async throws {
        try await withPlace { place in
            let path = "\(place)/d/store.db"
            let store = try await SQLiteStore.open(path: path)
            let fixed = ["\(place)/d", path, path + "-wal"]
            let issuer = RotatingIssuer(afterAnswer: { try Immutability.change(fixed, to: true) })
            // What is immutable could not be removed.
            defer { try? Immutability.change(fixed, to: false) }
            let rig = try await RefreshRig(store, issuer: issuer)
            let session = try await rig.session()
            let call = Task { try await session.token() }
            let issued = try await rig.run { try await call.value }
            #expect(issued.isUnsaved)
            #expect(issued.token.value.reveal() == "access-2")
            #expect(try await session.token().isUnsaved)
            #expect(try await rig.storedToken() == "refresh-1")
            try Immutability.change(fixed, to: false)
            try await rig.run {
                while try await rig.storedToken() != "refresh-2" { try await Task.sleep(for: .milliseconds(1)) }
            }
            let other = try await SQLiteStore.open(path: path)
            let next = try await rig.session(on: other).token()
            #expect(next.token.value.reveal() == "access-2")
            #expect(!next.isUnsaved)
            #expect(issuer.reuses == 0)
            #expect(try RawDatabase(path: path).text("PRAGMA integrity_check") == "ok")
        }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }
}
