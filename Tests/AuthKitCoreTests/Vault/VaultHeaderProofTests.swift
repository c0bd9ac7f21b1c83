@testable import AuthKitCore
import AuthKitTesting
import Testing

/// The header of another store that has the same key source, copied into this one.
@Suite struct VaultHeaderProofTests {
    private let store = InMemoryStore()

    /// A store with credentials, by the header of another one; gives its own header.
    private func swapped(_ slots: [String]) async throws -> SealedRecord {
        let vault = try await VaultFixture.open(store)
        for slot in slots { try await vault.save(try VaultFixture.credential(slot), replacing: nil) }
        let other = InMemoryStore()
        let stranger = try await VaultFixture.open(other)
        try await stranger.save(try VaultFixture.credential("stranger"), replacing: nil)
        let own = try #require(await store.load(.header))
        try await store.save(try #require(await other.load(.header)), replacing: own.version, under: nil)
        return own
    }

    @Test(arguments: [1, 3]) func `by it nothing is read, written, changed or removed`(_ count: Int) async throws {
        let slots = (0..<count).map { "slot-\($0)" }
        let own = try await swapped(slots)
        let before = try await VaultFixture.records(store)
        #expect(before.count == count)
        let id = VaultFixture.id("slot-0")
        // Each with a vault of its own: what one of them found out is not the next one's.
        let open = { [store] in try await VaultFixture.open(store) }
        #expect(await vaultCode { try await open().load(id) } == .otherHeader)
        #expect(await vaultCode { try await open().summary(of: id) } == .otherHeader)
        #expect(await vaultCode { try await open().version(of: id) } == .otherHeader)
        #expect(await vaultCode { try await open().listing() } == .otherHeader)
        #expect(await vaultCode { try await open().purge(damaged: before[0].key) } == .otherHeader)
        #expect(await vaultCode { try await open().rekeyData() } == .otherHeader)
        #expect(await vaultCode { try await open().rekey(to: VaultFixture.source(1)) } == .otherHeader)
        #expect(await vaultCode { try await open().migrate(to: try await Vault.inMemory()) } == .otherHeader)
        let credential = try VaultFixture.credential("new")
        #expect(await vaultCode { try await open().save(credential, replacing: nil) } == .otherHeader)
        #expect(try await VaultFixture.records(store) == before)
        // What it says to do helps.
        let wrong = try #require(await store.load(.header))
        try await store.save(own, replacing: wrong.version, under: nil)
        let vault = try await VaultFixture.open(store)
        #expect(try await vault.listing().summaries.count == count)
        #expect(try await vault.load(id) != nil)
    }

    @Test func `one that was exchanged under an open vault is refused as before`() async throws {
        let vault = try await VaultFixture.open(store)
        _ = try await swapped(["slot"])
        #expect(await vaultCode { try await vault.load(VaultFixture.id("none")) } == .tampered)
    }

    @Test func `a record of another store among ours is one damaged record`() async throws {
        let other = InMemoryStore()
        let stranger = try await VaultFixture.open(other)
        try await stranger.save(try VaultFixture.credential("stranger"), replacing: nil)
        let foreign = try #require(try await VaultFixture.records(other).first)
        let vault = try await VaultFixture.open(store)
        try await vault.save(try VaultFixture.credential("mine"), replacing: nil)
        try await store.save(foreign, replacing: nil, under: nil)
        let opened = try await VaultFixture.open(store)
        #expect(try await opened.load(VaultFixture.id("none")) == nil)
        #expect(try await opened.listing().damaged == [foreign.key])
        try await opened.purge(damaged: foreign.key)
        #expect(try await opened.listing().damaged.isEmpty)
    }

    @Test func `a change of the data key by somebody else is not taken for it`() async throws {
        let first = try await VaultFixture.open(store)
        let second = try await VaultFixture.open(store)
        try await first.save(try VaultFixture.credential("slot"), replacing: nil)
        #expect(try await first.rekeyData().isComplete)
        #expect(try await second.load(VaultFixture.id("none")) == nil)
        #expect(try await second.listing().summaries.count == 1)
    }

    @Test func `a store in which nothing can be told is not taken for it`() async throws {
        let vault = try await VaultFixture.open(store)
        #expect(try await vault.load(VaultFixture.id("none")) == nil)
        try await vault.save(try VaultFixture.credential("slot"), replacing: nil)
        var record = try #require(try await VaultFixture.records(store).first)
        record.payload[60] ^= 1
        record.metadata[60] ^= 1
        try await store.save(record, replacing: record.version, under: nil)
        let opened = try await VaultFixture.open(store)
        #expect(try await opened.listing().damaged == [record.key])
        try await opened.purge(damaged: record.key)
    }
}
