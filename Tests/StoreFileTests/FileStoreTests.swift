import AuthKitCore
import AuthKitTesting
import Foundation
import StoreFile
import StoreTestSupport
import Testing

@Suite struct FileStoreTests {
    @Test(arguments: TokenStoreConformance.all + TokenStoreConformance.due)
    func `meets the store contract`(_ rule: TokenStoreConformance.Rule) async throws {
        try await withPlace { place in
            try await rule.check { try await FileStore.open(path: "\(place)/store") }
        }
    }

    @Test func `two stores on one directory see each other's writes and exclude each other's leases and claims`()
        async throws
    {
        try await withPlace { place in
            let first = try await FileStore.open(path: "\(place)/store")
            let second = try await FileStore.open(path: "\(place)/store")
            var record = try Sample.record(revision: 1)
            record.due = WallTime(seconds: 1)
            try await first.save(record, replacing: nil, under: nil)
            #expect(try await second.load(record.key) == record)
            #expect(try await first.claimDue(before: nil, limit: 5, for: .seconds(600)) == [record])
            #expect(try await second.claimDue(before: nil, limit: 5, for: .seconds(600)).isEmpty)
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

    @Test func `eight stores make one directory at once`() async throws {
        try await withPlace { place in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 {
                    group.addTask {
                        let store = try await FileStore.open(path: "\(place)/new/store")
                        let record = try Sample.record(number: UInt8(number), revision: 1)
                        try await store.save(record, replacing: nil, under: nil)
                    }
                }
                try await group.waitForAll()
            }
            let store = try await FileStore.open(path: "\(place)/new/store")
            #expect(try await store.list(after: nil, limit: 100).count == 8)
        }
    }

    @Test(arguments: ["moved", "removed", "replaced"])
    func `a directory that is no longer in its place is not used`(_ fate: String) async throws {
        try await withPlace { place in
            let path = "\(place)/store"
            let store = try await FileStore.open(path: path)
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let lease = try await store.lease(record.key, for: .refresh, waiting: .zero)
            switch fate {
            case "moved": try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            case "removed": try FileManager.default.removeItem(atPath: path)
            default:
                try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
                _ = try await FileStore.open(path: path)
            }
            let next = try Sample.record(revision: 2)
            #expect(await code { try await store.save(next, replacing: record.version, under: nil) } == .inputOutput)
            #expect(await code { _ = try await store.load(record.key) } == .inputOutput)
            #expect(await code { _ = try await store.list(after: nil, limit: 1) } == .inputOutput)
            #expect(await code { try await store.probe() } == .inputOutput)
            #expect(await code { try await lease.confirm() } == .leaseLost)
            #expect(await code { _ = try await store.lease(record.key, for: .signIn, waiting: .zero) } == .inputOutput)
        }
    }

    @Test func `a lock file that was removed is noticed`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: "\(place)/store")
            try FileManager.default.removeItem(atPath: "\(place)/store/lock")
            let record = try Sample.record(revision: 1)
            #expect(await code { try await store.save(record, replacing: nil, under: nil) } == .inputOutput)
        }
    }

    @Test func `a writer that does not end makes others busy, within the bound`() async throws {
        try await withPlace { place in
            var options = FileStore.Options()
            options.busyTimeout = .milliseconds(50)
            let store = try await FileStore.open(path: "\(place)/store", options: options)
            let record = try Sample.record(revision: 1)
            let directory = try PrivateDirectory.open("\(place)/store")
            let other = try KernelLock.open("lock", in: directory)
            #expect(try other.tryLock(.writing(record.key)))
            #expect(await code { try await store.save(record, replacing: nil, under: nil) } == .busy)
            try await store.save(try Sample.record(number: 2, revision: 1), replacing: nil, under: nil)
            try other.unlock(.writing(record.key))
            try await store.save(record, replacing: nil, under: nil)
        }
    }

    @Test func `a claim ends with the boot and is not moved by the wall clock`() async throws {
        try await withPlace { place in
            let time = ManualTime()
            var options = FileStore.Options()
            options.time = time
            try await ClaimClock.check(try await FileStore.open(path: place, options: options), time)
        }
    }

    @Test func `pages of a list keep up with what is saved and removed between them`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: "\(place)/store")
            for number in [2, 4, 6] as [UInt8] {
                try await store.save(try Sample.record(number: number, revision: 1), replacing: nil, under: nil)
            }
            let first = try await store.list(after: nil, limit: 1)
            #expect(first.map(\.key.bytes.first) == [2])
            try await store.save(try Sample.record(number: 3, revision: 1), replacing: nil, under: nil)
            let gone = try Sample.record(number: 4, revision: 1)
            try await store.purge(gone.key, expecting: gone.version)
            let rest = try await store.list(after: first.last?.key, limit: 10)
            #expect(rest.map(\.key.bytes.first) == [3, 6])
        }
    }
}
