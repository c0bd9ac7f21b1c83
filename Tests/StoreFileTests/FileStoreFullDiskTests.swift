import AuthKitCore
import Foundation
import StoreFile
import StoreTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// On a file system of two mebibytes that is filled to the last block.
@Suite(.enabled(if: SmallDisk.isPossible, "a small file system can be mounted by root only"))
struct FileStoreFullDiskTests {
    @Test func `a promised save works on a disk that became full`() async throws {
        try await SmallDisk.with { place in
            let store = try await FileStore.open(path: "\(place)/d")
            var before: RecordVersion?
            // Again and again: room that was used must be got back by the next promise.
            for round in 0..<3 as Range<Int64> {
                let intent = try Sample.record(revision: 2 * round + 1, payload: Sample.bytes(4000), reserve: 65_536)
                try await store.save(intent, replacing: before, under: nil)
                let filler = try SmallDisk.fill(place)
                let answer = try Sample.record(revision: 2 * round + 2, payload: Sample.bytes(69_536))
                try await store.save(answer, replacing: intent.version, under: nil)
                #expect(try await store.load(answer.key) == answer)
                try FileManager.default.removeItem(atPath: filler)
                before = answer.version
            }
            #expect(try names(in: "\(place)/d").filter { $0.hasSuffix(".room") }.isEmpty)
        }
    }

    @Test func `promises to two records are both kept`() async throws {
        try await SmallDisk.with { place in
            let stores = [try await FileStore.open(path: "\(place)/d"), try await FileStore.open(path: "\(place)/d")]
            for (number, store) in stores.enumerated() {
                let intent = try Sample.record(number: UInt8(number + 1), revision: 1, reserve: 16_384)
                try await store.save(intent, replacing: nil, under: nil)
            }
            _ = try SmallDisk.fill(place)
            for (number, store) in stores.enumerated() {
                let version = try Sample.record(revision: 1).version
                let answer = try Sample.record(number: UInt8(number + 1), revision: 2, payload: Sample.bytes(16_384))
                try await store.save(answer, replacing: version, under: nil)
                #expect(try await store.load(answer.key) == answer)
            }
        }
    }

    @Test func `a save without a promise says that the disk is full and changes nothing`() async throws {
        try await SmallDisk.with { place in
            let store = try await FileStore.open(path: "\(place)/d")
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let filler = try SmallDisk.fill(place)
            let larger = try Sample.record(revision: 2, payload: Sample.bytes(100_000))
            #expect(await code { try await store.save(larger, replacing: record.version, under: nil) } == .full)
            #expect(try await store.load(record.key) == record)
            #expect(try names(in: "\(place)/d").count == 3)
            try FileManager.default.removeItem(atPath: filler)
            try await store.save(larger, replacing: record.version, under: nil)
            #expect(try await store.load(record.key) == larger)
        }
    }

    @Test func `a promise that cannot be made is refused and changes nothing`() async throws {
        try await SmallDisk.with { place in
            let store = try await FileStore.open(path: "\(place)/d")
            let first = try Sample.record(revision: 1, reserve: 50_000)
            try await store.save(first, replacing: nil, under: nil)
            let second = try Sample.record(revision: 2, reserve: 4 << 20)
            #expect(await code { try await store.save(second, replacing: first.version, under: nil) } == .full)
            #expect(try await store.load(first.key)?.version == first.version)
            // The first promise still stands.
            _ = try SmallDisk.fill(place)
            let answer = try Sample.record(revision: 2, payload: Sample.bytes(50_000))
            try await store.save(answer, replacing: first.version, under: nil)
        }
    }

    @Test func `no store is made on a full disk, and a probe says that it is full`() async throws {
        try await SmallDisk.with { place in
            let store = try await FileStore.open(path: "\(place)/d")
            _ = try SmallDisk.fill(place)
            #expect(await code { _ = try await FileStore.open(path: "\(place)/e") } == .full)
            #expect(await code { try await store.probe() } == .full)
            #expect(try names(in: "\(place)/d") == ["format", "lock"])
        }
    }

    @Test func `a read-only place is refused in one sentence with an alternative`() async throws {
        try await SmallDisk.with { place in
            _ = try await FileStore.open(path: "\(place)/d")
            try #require(unsafe mount("none", place, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
            for path in ["\(place)/d", "\(place)/new"] {
                let error = await storeError { _ = try await FileStore.open(path: path) }
                #expect(error?.code == .cannotCreate)
                #expect(error?.detail.contains("memory:") == true)
            }
        }
    }

    @Test func `an answer is stored on a disk that became full after the token was sent`() async throws {
        try await SmallDisk.with { place in
            let store = try await FileStore.open(path: "\(place)/d")
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
            let path = "\(place)/d"
            let store = try await FileStore.open(path: path)
            let fixed = [path]
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
            let other = try await FileStore.open(path: path)
            let next = try await rig.session(on: other).token()
            #expect(next.token.value.reveal() == "access-2")
            #expect(!next.isUnsaved)
            #expect(issuer.reuses == 0)
            #expect(try names(in: path).allSatisfy { !$0.hasSuffix(".new") && !$0.hasSuffix(".room") })
        }
    }
}
