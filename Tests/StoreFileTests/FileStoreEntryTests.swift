import AuthKitCore
import Foundation
import StoreFile
import StoreTestSupport
import Testing

/// Something that is no file of ours in the place of a record: one damaged record among others, never followed or read.
@Suite struct FileStoreEntryTests {
    /// What stands there.
    enum Entry: String, Sendable, CaseIterable {
        case link, dangling, pipe, folder, loose, foreign

        func make(at path: String, victim: String) throws {
            let files = FileManager.default
            switch self {
            case .link: try files.createSymbolicLink(atPath: path, withDestinationPath: victim)
            case .dangling: try files.createSymbolicLink(atPath: path, withDestinationPath: victim + "-none")
            case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
            case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .loose:
                try files.copyItem(atPath: victim, toPath: path)
                try setMode(0o644, path)
            case .foreign:
                try files.copyItem(atPath: victim, toPath: path)
                try #require(unsafe chown(path, 4711, 4711) == 0)
            }
        }

        /// Only root can give a file away.
        static var possible: [Entry] { allCases.filter { $0 != .foreign || geteuid() == 0 } }
    }

    private static func vault(_ store: any TokenStore) async throws -> Vault {
        let key = Base64URL.encode([UInt8](repeating: 7, count: 32))
        return try await Vault.open(store, keySource: EnvironmentKey(name: "K") { _ in key })
    }

    private static func id(_ slot: String) -> CredentialID {
        CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: slot)
    }

    private static func credential(_ slot: String) throws -> StoredCredential {
        var credential = StoredCredential(id: id(slot), incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(Secret(slot))
        return credential
    }

    private func path(of key: RecordKey, in place: String) -> String {
        "\(place)/store/" + key.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A vault with two credentials, and something else in the place of the second's record, which lies elsewhere.
    private func withEntry(
        _ entry: Entry,
        _ body: (Vault, FileStore, RecordKey, String) async throws -> Void
    ) async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: "\(place)/store")
            let vault = try await Self.vault(store)
            try await vault.save(try Self.credential("sound"), replacing: nil)
            let sound = try await store.list(after: nil, limit: 10).map(\.key)
            try await vault.save(try Self.credential("damaged"), replacing: nil)
            let key = try #require(try await store.list(after: nil, limit: 10).map(\.key).first { $0 != sound[0] })
            let victim = "\(place)/victim"
            let path = path(of: key, in: place)
            try FileManager.default.moveItem(atPath: path, toPath: victim)
            let contents = try #require(FileManager.default.contents(atPath: victim))
            try entry.make(at: path, victim: victim)
            try await body(vault, store, key, path)
            #expect(FileManager.default.contents(atPath: victim) == contents)
            #expect(try await vault.load(Self.id("sound"))?.credential.refreshToken?.value.reveal() == "sound")
        }
    }

    @Test(arguments: Entry.possible)
    func `it is told, the others go on, and a purge removes it`(_ entry: Entry) async throws {
        try await withEntry(entry) { vault, store, damaged, path in
            let error = await storeError { _ = try await store.load(damaged) }
            #expect(error?.code == .corrupt)
            #expect(error?.detail.contains(path) == true)
            let listing = try await vault.listing()
            #expect(listing.summaries.map(\.id.slot) == ["sound"])
            #expect(listing.damaged == [damaged])
            _ = try await store.claimDue(before: nil, limit: 5, for: .seconds(1))
            // Also with what a writer that died has left beside it.
            try makeFile(path + ".room", Data([1]))
            let again = try await FileStore.open(path: store.path)
            #expect(try await again.list(after: nil, limit: 10).count == 2)
            try await vault.purge(damaged: damaged)
            #expect(try await vault.listing().damaged.isEmpty)
            #expect(try await store.load(damaged) == nil)
        }
    }

    @Test(arguments: Entry.possible)
    func `it is named by its credential, and what is saved over it takes its place`(_ entry: Entry) async throws {
        try await withEntry(entry) { vault, _, _, path in
            let id = Self.id("damaged")
            let error = await #expect(throws: VaultError.self) { _ = try await vault.load(id) }
            #expect(error?.code == .tampered)
            #expect(error?.detail.contains("sign in again to replace it") == true)
            #expect(error?.detail.contains(path) == true)
            let credential = try Self.credential("damaged")
            let version = try #require(await vault.version(of: id))
            try await vault.save(credential, replacing: version)
            #expect(try await vault.load(id)?.credential == credential)
            #expect(try mode(path) == 0o600)
        }
    }

    @Test func `a directory with files in it stays, and says what to do`() async throws {
        try await withEntry(.folder) { vault, _, damaged, path in
            try makeFile("\(path)/notes.txt", Data())
            let id = Self.id("damaged")
            let version = try #require(await vault.version(of: id))
            let removal = await storeError { try await vault.purge(damaged: damaged) }
            let save = await storeError { try await vault.save(try Self.credential("damaged"), replacing: version) }
            for error in [removal, save] {
                #expect(error?.code == .inputOutput)
                #expect(error?.detail.contains("move it away") == true)
            }
            #expect(try names(in: path) == ["notes.txt"])
            #expect(try names(in: String(path.dropLast(65))).contains { $0.hasSuffix(".new") } == false)
        }
    }

    @Test(arguments: Entry.possible)
    func `in the place of promised room it goes with the next save`(_ entry: Entry) async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: "\(place)/store")
            try makeFile("\(place)/victim", Data("theirs".utf8))
            for reserve in [0, 1000] {
                let record = try Sample.record(number: UInt8(1 + reserve / 1000), revision: 1, reserve: reserve)
                try entry.make(at: path(of: record.key, in: place) + ".room", victim: "\(place)/victim")
                try await store.save(record, replacing: nil, under: nil)
                #expect(try await store.load(record.key)?.version == record.version)
            }
            #expect(FileManager.default.contents(atPath: "\(place)/victim") == Data("theirs".utf8))
        }
    }
}
