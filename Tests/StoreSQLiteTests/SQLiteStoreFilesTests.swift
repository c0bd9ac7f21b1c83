import AuthKitCore
import Foundation
import StoreSQLite
import StoreTestSupport
import Testing

@Suite struct SQLiteStoreFilesTests {
    @Test func `a missing directory is made and every file is for the owner only`() async throws {
        try await withPlace { place in
            let directory = "\(place)/share/authkit"
            let store = try await SQLiteStore.open(path: "\(directory)/store.db")
            try await store.save(try Sample.record(revision: 1, reserve: 1000), replacing: nil, under: nil)
            let lease = try await store.lease(.header, for: .refresh, waiting: .zero)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(
                Set(names) == ["store.db", "store.db-wal", "store.db-shm", "store.db.lock", "store.db.room"]
            )
            for name in names { #expect(try mode("\(directory)/\(name)") == 0o600, "\(name)") }
            for path in [directory, "\(place)/share"] { #expect(try mode(path) == 0o700) }
            await lease.release()
        }
    }

    @Test(arguments: ["store.db", "store.db-wal", "store.db-shm", "store.db.lock", "store.db.room", "."])
    func `a loose mode is refused with the command that mends it`(_ name: String) async throws {
        try await withPlace { place in
            let first = try await SQLiteStore.open(path: "\(place)/store.db")
            try await first.save(try Sample.record(revision: 1, reserve: 1000), replacing: nil, under: nil)
            let path = name == "." ? place : "\(place)/\(name)"
            let right = name == "." ? 0o700 : 0o600
            try setMode(right | 0o040, path)
            let error = await storeError { _ = try await SQLiteStore.open(path: "\(place)/store.db") }
            #expect(error?.code == .loosePermissions)
            #expect(error?.detail.hasSuffix("run: chmod \(String(right, radix: 8)) \(path)") == true)
            var options = SQLiteStore.Options()
            options.insecureFileModes = true
            _ = try await SQLiteStore.open(path: "\(place)/store.db", options: options)
            try setMode(right, path)
            _ = try await SQLiteStore.open(path: "\(place)/store.db")
        }
    }

    @Test func `a symbolic link is refused and what it leads to stays as it was`() async throws {
        try await withPlace { place in
            try setMode(0o700, place)
            try makeFile("\(place)/victim", Data())
            try FileManager.default.createSymbolicLink(atPath: "\(place)/store.db", withDestinationPath: "victim")
            #expect(await code { _ = try await SQLiteStore.open(path: "\(place)/store.db") } == .unsupportedPlace)
            #expect(FileManager.default.contents(atPath: "\(place)/victim") == Data())
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["-journal", "-wal", "-shm", ".lock", ".room"],
        ["pipe", "link", "folder", "loose", "foreign"]
    )
    func `what lies beside the database and is no file of ours is refused before SQLite sees it`(
        _ side: String,
        _ kind: String
    ) async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            try await SQLiteStore.open(path: path).close()
            let other = path + side
            try? FileManager.default.removeItem(atPath: other)
            var expected = StoreError.Code.unsupportedPlace
            switch kind {
            case "pipe": try #require(unsafe mkfifo(other, 0o600) == 0)
            case "link":
                try makeFile("\(place)/victim", Data("theirs".utf8))
                try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "victim")
            case "folder": try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
            case "loose":
                try makeFile(other, Data())
                try setMode(0o666, other)
                expected = .loosePermissions
            default:
                guard geteuid() == 0 else { return }  // Only root can give a file away.
                try makeFile(other, Data())
                try #require(unsafe chown(other, 4711, 4711) == 0)
                expected = .wrongOwner
            }
            #expect(await code { _ = try await SQLiteStore.open(path: path) } == expected)
            guard kind == "link" else { return }
            #expect(FileManager.default.contents(atPath: "\(place)/victim") == Data("theirs".utf8))
        }
    }

    @Test func `a path without a file name is refused`() async throws {
        for path in ["", "/", "/tmp/", "/tmp/.."] {
            #expect(await code { _ = try await SQLiteStore.open(path: path) } == .cannotCreate)
        }
    }
}
