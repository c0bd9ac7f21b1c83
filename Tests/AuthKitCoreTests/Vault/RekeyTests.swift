@testable import AuthKitCore
import AuthKitTesting
import Testing

/// Another key source for the same data keys.
@Suite(.timeLimit(.minutes(1))) struct RekeyTests {
    private let store = InMemoryStore()

    private func passphrase(_ text: String) -> Passphrase {
        Passphrase(insecureCost: 1024) { SecretBytes(copying: Array(text.utf8)) }
    }

    @Test func `after it the new source opens the store and the old one does not`() async throws {
        let vault = try await VaultFixture.open(store, key: 1)
        let credential = try VaultFixture.credential("work")
        try await vault.save(credential, replacing: nil)
        try await vault.rekey(to: VaultFixture.source(2))
        #expect(try await VaultFixture.open(store, key: 2).load(credential.id)?.credential == credential)
        let store = store
        #expect(await vaultCode { try await VaultFixture.open(store, key: 1) } == .wrongKey)
    }

    @Test func `it goes to a source of another kind and back`() async throws {
        let vault = try await VaultFixture.open(store)
        let credential = try VaultFixture.credential("work")
        try await vault.save(credential, replacing: nil)
        try await vault.rekey(to: passphrase("one"))
        let store = store
        #expect(await vaultCode { try await VaultFixture.open(store) } == .otherKeySource)
        let source = passphrase("two")
        #expect(await vaultCode { try await Vault.open(store, keySource: source) } == .wrongKey)
        let other = try await Vault.open(store, keySource: passphrase("one"))
        #expect(try await other.load(credential.id)?.credential == credential)
        try await other.rekey(to: VaultFixture.source(5))
        #expect(try await VaultFixture.open(store, key: 5).load(credential.id) != nil)
    }

    @Test func `whoever has the store open goes on`() async throws {
        let vault = try await VaultFixture.open(store, key: 1)
        let other = try await VaultFixture.open(store, key: 1)
        let credential = try VaultFixture.credential("work")
        let version = try await vault.save(credential, replacing: nil)
        try await vault.rekey(to: VaultFixture.source(2))
        #expect(try await other.load(credential.id)?.version == version)
        #expect(try await other.load(VaultFixture.id("nobody")) == nil)
        try await other.save(try VaultFixture.credential("new"), replacing: nil)
        try await other.save(credential, replacing: version)
        #expect(try await vault.listing().summaries.count == 2)
        try await vault.rekey(to: VaultFixture.source(3))
        #expect(try await VaultFixture.open(store, key: 3).listing().summaries.count == 2)
    }

    @Test func `no record is written by it`() async throws {
        let vault = try await VaultFixture.open(store)
        for slot in ["a", "b"] { try await vault.save(try VaultFixture.credential(slot), replacing: nil) }
        let before = try await VaultFixture.records(store)
        try await vault.rekey(to: VaultFixture.source(2))
        #expect(try await VaultFixture.records(store) == before)
    }

    @Test func `a source that gives no key changes nothing`() async throws {
        let vault = try await VaultFixture.open(store)
        let before = try await store.load(.header)
        let source = EnvironmentKey(name: "K") { _ in nil }
        #expect(await vaultCode { try await vault.rekey(to: source) } == .keyUnavailable)
        #expect(try await store.load(.header) == before)
    }

    @Test func `a process that has neither the new data key nor the new source is told so, not given nothing`()
        async throws
    {
        let vault = try await VaultFixture.open(store, key: 1)
        let stranger = try await VaultFixture.open(store, key: 1)
        let id = VaultFixture.id("work")
        try await vault.save(try VaultFixture.credential("work"), replacing: nil)
        try await vault.rekey(to: passphrase("one"))
        _ = try await vault.rekeyData()
        #expect(await vaultCode { try await stranger.load(id) } == .otherKeySource)
        #expect(await vaultCode { try await stranger.probe() } == .otherKeySource)
    }

    @Test func `two changes at once wait for each other`() async throws {
        let vault = try await VaultFixture.open(store, key: 1)
        let other = try await VaultFixture.open(store, key: 1)
        let lease = try await store.lease(.header, for: .maintenance, waiting: .zero)
        let waiting = Task { try await vault.rekey(to: VaultFixture.source(2)) }
        try await other.save(try VaultFixture.credential("work"), replacing: nil)
        await lease.release()
        try await waiting.value
        // Who holds only the old source wraps nothing anew.
        #expect(await vaultCode { try await other.rekey(to: VaultFixture.source(3)) } == .wrongKey)
        try await vault.rekey(to: VaultFixture.source(3))
        #expect(try await VaultFixture.open(store, key: 3).listing().summaries.count == 1)
    }
}
