import AuthKitCore
import Foundation
import StoreSQLite
import StoreTestSupport
import Testing

/// What a vault over this store makes of a row that something else wrote: one damaged record among others.
@Suite struct SQLiteStoreDamageTests {
    /// What something else did to a row.
    enum Damage: String, Sendable, CaseIterable {
        case hugePayload = "payload = zeroblob(100000000)"
        case hugeMetadata = "metadata = zeroblob(100000000)"
        case shortIncarnation = "incarnation = x'00'"
        case negativeRevision = "revision = -1"
        case hugeRevision = "revision = 9223372036854775807"
        case hugeAttoseconds = "due_seconds = 9223372036854775807, due_attoseconds = 9223372036854775807"
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

    /// A vault with two credentials, and the row of the second damaged.
    private func withDamage(
        _ damage: Damage,
        _ body: (Vault, SQLiteStore, RecordKey) async throws -> Void
    ) async throws {
        try await withPlace { place in
            let store = try await SQLiteStore.open(path: "\(place)/store.db")
            let vault = try await Self.vault(store)
            try await vault.save(try Self.credential("sound"), replacing: nil, due: WallTime(seconds: 77))
            let sound = try await store.list(after: nil, limit: 10).map(\.key)
            try await vault.save(try Self.credential("damaged"), replacing: nil, due: WallTime(seconds: 7))
            let key = try #require(try await store.list(after: nil, limit: 10).map(\.key).first { $0 != sound[0] })
            let raw = try RawDatabase(path: "\(place)/store.db")
            try raw.execute("PRAGMA ignore_check_constraints = ON")
            let hexadecimal = key.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try raw.execute("UPDATE records SET \(damage.rawValue) WHERE key = x'\(hexadecimal)'")
            try await body(vault, store, key)
            #expect(try await vault.load(Self.id("sound"))?.credential.refreshToken?.value.reveal() == "sound")
        }
    }

    @Test(arguments: Damage.allCases)
    func `it is one damaged record: told, passed over by claims, and removed by a purge`(_ damage: Damage) async throws
    {
        try await withDamage(damage) { vault, store, damaged in
            let listing = try await vault.listing()
            #expect(listing.summaries.map(\.id.slot) == ["sound"])
            #expect(listing.damaged == [damaged])
            #expect(await code { _ = try await store.load(damaged) } == .corrupt)
            let claimed = try await store.claimDue(before: WallTime(seconds: 100), limit: 1, for: .milliseconds(1))
            #expect(claimed.allSatisfy { $0.key != damaged })
            #expect(try await vault.rekeyData().damaged == [damaged])
            try await vault.purge(damaged: damaged)
            #expect(try await vault.listing().damaged.isEmpty)
            #expect(try await store.load(damaged) == nil)
            #expect(try await vault.rekeyData().isComplete)
        }
    }

    @Test(arguments: Damage.allCases)
    func `it is named by its credential, and what is saved over it takes its place`(_ damage: Damage) async throws {
        try await withDamage(damage) { vault, store, damaged in
            let id = Self.id("damaged")
            let error = await #expect(throws: VaultError.self) { _ = try await vault.load(id) }
            #expect(error?.code == .tampered)
            #expect(error?.detail.contains("damaged") == true)
            #expect(error?.detail.contains("sign in again to replace it") == true)
            let version = try #require(await vault.version(of: id))
            let credential = try Self.credential("damaged")
            let saved = try await vault.save(credential, replacing: version)
            #expect(saved.revision > version.revision)
            #expect(try await vault.load(id)?.credential == credential)
            // The version of the damage replaces nothing else.
            let late = try Self.credential("damaged")
            #expect(await code { try await vault.save(late, replacing: version) } == .conflict)
            #expect(await code { try await store.purge(damaged, expecting: version) } == .conflict)
            #expect(try await store.load(damaged)?.version == saved)
        }
    }

    @Test func `a row without a key of ours is nobody's record and ends no list early`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            for number in 1...3 as ClosedRange<UInt8> {
                try await store.save(try Sample.record(number: number, revision: 1), replacing: nil, under: nil)
            }
            let raw = try RawDatabase(path: path)
            try raw.execute("PRAGMA ignore_check_constraints = ON")
            try raw.execute("UPDATE records SET key = x'0102' WHERE key = x'\(String(repeating: "02", count: 32))'")
            #expect(try await store.list(after: nil, limit: 2).map(\.key.bytes[0]) == [1, 3])
        }
    }

    @Test func `room that a row claims beyond reason does not hold up the others' saves`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            let greedy = try Sample.record(number: 1, revision: 1)
            try await store.save(greedy, replacing: nil, under: nil)
            try RawDatabase(path: path).execute("UPDATE records SET room = 9223372036854775807")
            let record = try Sample.record(number: 2, revision: 1, reserve: 1000)
            try await store.save(record, replacing: nil, under: nil)
            #expect(try await store.load(record.key)?.version == record.version)
            try await store.purge(greedy.key, expecting: greedy.version)
        }
    }

    @Test func `a header that cannot be read says that nothing opens without it`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            _ = try await Self.vault(store)
            try RawDatabase(path: path).execute("UPDATE records SET metadata = zeroblob(100000000)")
            let error = await storeError { _ = try await Self.vault(store) }
            #expect(error?.code == .corrupt)
            #expect(error?.detail.contains("header") == true)
            #expect(error?.detail.contains("sign in again") == false)
        }
    }
}
