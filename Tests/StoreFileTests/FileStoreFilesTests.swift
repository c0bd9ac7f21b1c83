import AuthKitCore
import Foundation
import StoreFile
import StoreTestSupport
import Testing

@Suite struct FileStoreFilesTests {
    private static let name = String(repeating: "01", count: 32)

    @Test func `a missing directory is made and every file is for the owner only`() async throws {
        try await withPlace { place in
            let directory = "\(place)/share/store"
            let store = try await FileStore.open(path: directory)
            var record = try Sample.record(revision: 1, reserve: 1000)
            record.due = WallTime(seconds: 1)
            try await store.save(record, replacing: nil, under: nil)
            _ = try await store.claimDue(before: nil, limit: 1, for: .seconds(600))
            try await store.probe()
            let found = try names(in: directory)
            #expect(found == [Self.name, Self.name + ".room", "claims", "format", "lock"])
            for name in found { #expect(try mode("\(directory)/\(name)") == 0o600, "\(name)") }
            for path in [directory, "\(place)/share"] { #expect(try mode(path) == 0o700) }
        }
    }

    @Test(arguments: [".", "format", "lock"])
    func `a loose mode is refused with the command that mends it`(_ name: String) async throws {
        try await withPlace { place in
            _ = try await FileStore.open(path: place)
            let path = name == "." ? place : "\(place)/\(name)"
            let right = name == "." ? 0o700 : 0o600
            try setMode(right | 0o040, path)
            let error = await storeError { _ = try await FileStore.open(path: place) }
            #expect(error?.code == .loosePermissions)
            #expect(error?.detail.hasSuffix("run: chmod \(String(right, radix: 8)) \(path)") == true)
            var options = FileStore.Options()
            options.insecureFileModes = true
            _ = try await FileStore.open(path: place, options: options)
        }
    }

    @Test func `a record with a loose mode is refused by name, and the others stay usable`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let loose = try Sample.record(revision: 1)
            let sound = try Sample.record(number: 2, revision: 1)
            for record in [loose, sound] { try await store.save(record, replacing: nil, under: nil) }
            try setMode(0o644, "\(place)/\(Self.name)")
            let error = await storeError { _ = try await store.load(loose.key) }
            #expect(error?.code == .corrupt)
            #expect(error?.detail.contains("run: chmod 600 \(place)/\(Self.name)") == true)
            #expect(try await store.list(after: nil, limit: 10).map(\.keyID.isEmpty) == [true, false])
            #expect(try await store.load(sound.key) == sound)
        }
    }

    @Test func `a symbolic link for a record is refused and what it leads to stays as it was`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: "\(place)/store")
            try makeFile("\(place)/victim", Data("theirs".utf8))
            for name in [Self.name, Self.name + ".new", Self.name + ".room"] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(place)/store/\(name)",
                    withDestinationPath: "../victim"
                )
            }
            let record = try Sample.record(revision: 1)
            #expect(await code { try await store.save(record, replacing: nil, under: nil) } == .corrupt)
            let listed = try #require(try await store.list(after: nil, limit: 1).first)
            try await store.save(record, replacing: listed.version, under: nil)
            #expect(try await store.load(record.key) == record)
            #expect(try names(in: "\(place)/store") == [Self.name, "format", "lock"])
            #expect(FileManager.default.contents(atPath: "\(place)/victim") == Data("theirs".utf8))
        }
    }

    @Test func `a directory of something else is refused and left as it is`() async throws {
        try await withPlace { place in
            try makeFile("\(place)/notes.txt", Data())
            let error = await storeError { _ = try await FileStore.open(path: place) }
            #expect(error?.code == .corrupt)
            #expect(error?.detail.contains("choose another directory") == true)
            #expect(try names(in: place) == ["notes.txt"])
        }
    }

    @Test func `a path that is a file is refused`() async throws {
        try await withPlace { place in
            try makeFile("\(place)/file", Data())
            #expect(await code { _ = try await FileStore.open(path: "\(place)/file") } == .cannotCreate)
            #expect(await code { _ = try await FileStore.open(path: "") } == .cannotCreate)
        }
    }

    @Test func `what a writer that died has left is swept, what a living one writes is not`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let record = try Sample.record(revision: 1, reserve: 1000)
            try await store.save(record, replacing: nil, under: nil)
            let other = String(repeating: "02", count: 32)
            for name in [Self.name + ".new", other + ".new", other + ".room"] {
                try makeFile("\(place)/\(name)", Data([1]))
            }
            let lock = try KernelLock.open("lock", in: try PrivateDirectory.open(place))
            #expect(try lock.tryLock(.writing(record.key)))
            _ = try await FileStore.open(path: place)
            let kept = [Self.name, Self.name + ".new", Self.name + ".room", "format", "lock"]
            #expect(try names(in: place) == kept)
            try lock.unlock(.writing(record.key))
            _ = try await FileStore.open(path: place)
            #expect(try names(in: place) == kept.filter { !$0.hasSuffix(".new") })
            try await store.save(try Sample.record(revision: 2), replacing: record.version, under: nil)
            #expect(try names(in: place) == [Self.name, "format", "lock"])
        }
    }

    @Test func `purging leaves nothing of a record`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let record = try Sample.record(revision: 1, reserve: 1000)
            try await store.save(record, replacing: nil, under: nil)
            try await store.purge(record.key, expecting: record.version)
            #expect(try names(in: place) == ["format", "lock"])
        }
    }
}
