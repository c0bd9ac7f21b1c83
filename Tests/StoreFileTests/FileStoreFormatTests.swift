import AuthKitCore
import Foundation
import StoreFile
import StoreTestSupport
import Testing

@Suite struct FileStoreFormatTests {
    private static let name = String(repeating: "01", count: 32)

    /// A store with a damaged record, whose file is made by `damage` from a sound one, and a sound one beside it.
    private func withDamage(
        _ damage: (Data) -> Data,
        _ body: (FileStore, SealedRecord, String) async throws -> Void
    ) async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let record = try Sample.record(revision: 3, payload: Sample.bytes(200))
            let sound = try Sample.record(number: 2, revision: 1)
            for record in [record, sound] { try await store.save(record, replacing: nil, under: nil) }
            let path = "\(place)/\(Self.name)"
            let contents = try #require(FileManager.default.contents(atPath: path))
            try damage(contents).write(to: URL(fileURLWithPath: path))
            try await body(store, record, path)
            #expect(try await store.load(sound.key) == sound)
            #expect(try await store.list(after: nil, limit: 10).last?.version == sound.version)
        }
    }

    @Test func `a file that was cut or has grown is corrupt by name, and the others stay usable`() async throws {
        var lengths = Array(0..<20) + [60, 130, 199, 250]
        lengths.append(300)
        for length in lengths {
            try await withDamage({ $0.prefix(length) }) { store, record, path in
                let error = await storeError { _ = try await store.load(record.key) }
                #expect(error?.code == .corrupt, "\(length) bytes")
                #expect(error?.detail.contains(path) == true)
            }
        }
        try await withDamage({ $0 + [0] }) { store, record, _ in
            #expect(await code { _ = try await store.load(record.key) } == .corrupt)
        }
    }

    @Test func `a foreign file in place of a record is corrupt and listed by its key alone`() async throws {
        try await withDamage({ _ in Data("not a record at all".utf8) }) { store, record, path in
            #expect(await code { _ = try await store.load(record.key) } == .corrupt)
            let next = try Sample.record(revision: 4)
            #expect(await code { try await store.save(next, replacing: record.version, under: nil) } == .corrupt)
            let listed = try await store.list(after: nil, limit: 10)
            #expect(listed.first?.key == record.key)
            #expect(listed.first?.metadata == [])
            #expect(try await store.claimDue(before: WallTime(seconds: 1 << 40), limit: 5, for: .seconds(1)).count == 1)
            try FileManager.default.removeItem(atPath: path)
            try await store.save(next, replacing: nil, under: nil)
        }
    }

    @Test func `a record that was moved to another's name is corrupt`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let other = String(repeating: "02", count: 32)
            try FileManager.default.moveItem(atPath: "\(place)/\(Self.name)", toPath: "\(place)/\(other)")
            let key = try Sample.record(number: 2, revision: 1).key
            #expect(await code { _ = try await store.load(key) } == .corrupt)
        }
    }

    @Test func `a record of a newer version is refused by name and left as it is, and the others go on`() async throws {
        try await withDamage({ $0.prefix(4) + [0, 2] + $0.dropFirst(6) }) { store, record, path in
            let before = FileManager.default.contents(atPath: path)
            let error = await storeError { _ = try await store.load(record.key) }
            #expect(error?.code == .newerFormat)
            #expect(error?.detail.contains("format 2") == true)
            let next = try Sample.record(revision: 4)
            #expect(await code { try await store.save(next, replacing: record.version, under: nil) } == .newerFormat)
            #expect(FileManager.default.contents(atPath: path) == before)
            #expect(try await store.list(after: nil, limit: 10).map(\.keyID.isEmpty) == [true, false])
            #expect(try await store.claimDue(before: WallTime(seconds: 1 << 40), limit: 5, for: .seconds(1)).count == 1)
        }
    }

    @Test func `a store of a newer version is refused and left as it is`() async throws {
        try await withPlace { place in
            _ = try await FileStore.open(path: place)
            try makeFile("\(place)/format", Data("AuthKit file store 2\n".utf8))
            #expect(await code { _ = try await FileStore.open(path: place) } == .newerFormat)
        }
    }

    @Test(arguments: ["text", "pipe", "folder"])
    func `a damaged format is told with the command that puts it back, which does`(_ kind: String) async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let record = try Sample.record(revision: 1)
            try await store.save(record, replacing: nil, under: nil)
            let path = "\(place)/format"
            let sound = try #require(FileManager.default.contents(atPath: path))
            try FileManager.default.removeItem(atPath: path)
            switch kind {
            case "text": try makeFile(path, Data("something else\n".utf8))
            case "pipe": try #require(unsafe mkfifo(path, 0o600) == 0)
            default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            let error = await storeError { _ = try await FileStore.open(path: place) }
            #expect(error?.code == .corrupt)
            let commands = "mv \(path) \(path).old; umask 077; echo 'AuthKit file store 1' > \(path)"
            #expect(error?.detail.hasSuffix(commands) == true)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            try makeFile(path, Data("AuthKit file store 1\n".utf8))
            #expect(FileManager.default.contents(atPath: path) == sound)
            #expect(try await FileStore.open(path: place).load(record.key) == record)
        }
    }

    @Test func `a damaged header is not told to be replaced by a sign-in`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            try makeFile("\(place)/\(String(repeating: "0", count: 64))", Data("x".utf8))
            let error = await storeError { _ = try await store.load(.header) }
            #expect(error?.code == .corrupt)
            #expect(error?.detail.contains("holds the store's header") == true)
            #expect(error?.detail.contains("sign in again") == false)
        }
    }

    @Test func `claims that cannot be read claim nothing`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            var record = try Sample.record(revision: 1)
            record.due = WallTime(seconds: 1)
            try await store.save(record, replacing: nil, under: nil)
            #expect(try await store.claimDue(before: nil, limit: 5, for: .seconds(600)).count == 1)
            let claims = try #require(FileManager.default.contents(atPath: "\(place)/claims"))
            for length in 0..<claims.count {
                try claims.prefix(length).write(to: URL(fileURLWithPath: "\(place)/claims"))
                #expect(try await store.claimDue(before: nil, limit: 5, for: .seconds(600)).count == 1)
            }
        }
    }

    @Test func `the vault names a damaged record and opens the others`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let key = EnvironmentKey(name: "k") { _ in "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }
            let vault = try await Vault.open(store, keySource: key)
            for slot in ["a", "b"] {
                let id = CredentialID(provider: ProviderKind("p"), issuer: "i", client: "c", slot: slot)
                let credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
                try await vault.save(credential, replacing: nil)
            }
            let keys = try await store.list(after: nil, limit: 10).map(\.key)
            let victim = try #require(try names(in: place).first { $0.count == 64 && !$0.hasPrefix("0000") })
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(place)/\(victim)"))
            let listing = try await vault.listing()
            #expect(listing.damaged == [keys[0]])
            #expect(listing.summaries.count == 1)
        }
    }
}
