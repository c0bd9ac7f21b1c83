import AuthKitCore
import Foundation
import StoreFile
import StoreTestSupport
import Testing

/// What a vault over this store makes of a file that was cut or overwritten: one damaged record among others.
@Suite struct FileStoreDamageTests {
    /// What something else did to a file.
    enum Damage: Sendable, CaseIterable {
        case emptied, cutInHead, cutInBody, newerFormat, hugeRevision

        func applied(to contents: Data) -> Data {
            var bytes = contents
            switch self {
            case .emptied: return Data()
            case .cutInHead: return contents.prefix(10)
            case .cutInBody: return contents.prefix(200)
            case .newerFormat: bytes[4] = 1
            // Magic and format, then key and incarnation, each behind its length, and the length of the revision.
            case .hugeRevision: bytes[6 + 36 + 20 + 4] = 127
            }
            return bytes
        }
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

    /// A vault with two credentials, and the file of the second damaged.
    private func withDamage(
        _ damage: Damage,
        _ body: (Vault, FileStore, RecordKey) async throws -> Void
    ) async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let vault = try await Self.vault(store)
            var names: Set<String> = []
            for slot in ["sound", "damaged"] {
                names = try Set(FileManager.default.contentsOfDirectory(atPath: place))
                try await vault.save(try Self.credential(slot), replacing: nil)
            }
            let new = try Set(FileManager.default.contentsOfDirectory(atPath: place)).subtracting(names)
            let name = try #require(new.first { $0.utf8.count == 64 })
            let path = "\(place)/\(name)"
            let contents = try #require(FileManager.default.contents(atPath: path))
            try damage.applied(to: contents).write(to: URL(fileURLWithPath: path))
            let digits = Array(name)
            let bytes = try stride(from: 0, to: 64, by: 2).map {
                try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
            }
            try await body(vault, store, try #require(RecordKey(bytes: bytes)))
            #expect(try await vault.load(Self.id("sound"))?.credential.refreshToken?.value.reveal() == "sound")
        }
    }

    private func vaultError(_ work: () async throws -> some Any) async -> VaultError? {
        do {
            _ = try await work()
            return nil
        } catch {
            return error as? VaultError
        }
    }

    @Test(arguments: Damage.allCases) func `a change of the data key goes on past it`(_ damage: Damage) async throws {
        try await withDamage(damage) { vault, _, damaged in
            let report = try await vault.rekeyData()
            #expect(report.moved == 1)
            #expect(report.damaged == [damaged])
        }
    }

    @Test(arguments: Damage.allCases)
    func `a migration copies the others and tells it`(_ damage: Damage) async throws {
        try await withDamage(damage) { vault, _, damaged in
            let target = try await Self.vault(InMemoryStore())
            let report = try await vault.migrate(to: target)
            #expect(report.copied == 1)
            #expect(report.damaged == [damaged])
            #expect(try await target.load(Self.id("sound")) != nil)
        }
    }

    @Test(arguments: Damage.allCases)
    func `a listing tells it, a claim passes over it, and a purge of it removes it`(_ damage: Damage) async throws {
        try await withDamage(damage) { vault, store, damaged in
            let listing = try await vault.listing()
            #expect(listing.summaries.map(\.id.slot) == ["sound"])
            #expect(listing.damaged == [damaged])
            #expect(try await store.claimDue(before: nil, limit: 5, for: .seconds(1)).isEmpty)
            #expect(try await vault.rekeyData().damaged == [damaged])
            try await vault.purge(damaged: damaged)
            #expect(try await vault.listing().damaged.isEmpty)
            #expect(try await store.load(damaged) == nil)
            // What it held up goes on.
            #expect(try await vault.rekeyData().damaged.isEmpty)
        }
    }

    @Test(arguments: Damage.allCases)
    func `it is named by its credential, and what is saved over it takes its place`(_ damage: Damage) async throws {
        try await withDamage(damage) { vault, store, damaged in
            let id = Self.id("damaged")
            let load = await vaultError { try await vault.load(id) }
            let summary = await vaultError { try await vault.summary(of: id) }
            for error in [load, summary] {
                #expect(error?.code == .tampered)
                #expect(error?.detail.contains("damaged") == true)
                #expect(error?.detail.contains("sign in again to replace it") == true)
            }
            let version = try #require(await vault.version(of: id))
            // Later than what stood there: made with the file, its revision is a time before the damage.
            let other = try #require(await vault.load(Self.id("sound")))
            #expect(version.revision >= other.version.revision)
            var credential = try Self.credential("damaged")
            credential.refreshToken = HeldToken(Secret("new"))
            let saved = try await vault.save(credential, replacing: version)
            #expect(saved.revision > version.revision)
            #expect(try await vault.load(id)?.credential == credential)
            // The version of the damage replaces nothing else.
            let late = try Self.credential("damaged")
            #expect(await code { try await vault.save(late, replacing: version) } == .conflict)
            #expect(try await store.load(damaged)?.version == saved)
        }
    }

    @Test(arguments: Damage.allCases) func `signing out replaces it by a tombstone`(_ damage: Damage) async throws {
        try await withDamage(damage) { vault, _, _ in
            let session = Session(Self.id("damaged"), provider: RotatingIssuer(), vault: vault)
            _ = try await session.signOut(local: true)
            #expect(try await vault.load(Self.id("damaged"))?.credential.state == .signedOut)
        }
    }

    @Test func `who expects another version than the damage's is told of the file`() async throws {
        try await withDamage(.cutInHead) { vault, store, damaged in
            let version = try #require(await vault.version(of: Self.id("damaged")))
            let other = RecordVersion(incarnation: version.incarnation, revision: version.revision + 1)
            for expected in [other, nil] {
                let record = try Sample.record(revision: 1)
                let copy = SealedRecord(
                    key: damaged,
                    version: record.version,
                    keyID: record.keyID,
                    issuerHash: record.issuerHash,
                    due: nil,
                    metadata: [],
                    payload: []
                )
                #expect(await code { try await store.save(copy, replacing: expected, under: nil) } == .corrupt)
            }
            #expect(await code { try await store.purge(damaged, expecting: other) } == .corrupt)
            #expect(await code { _ = try await store.load(damaged) } == .corrupt)
        }
    }
}
