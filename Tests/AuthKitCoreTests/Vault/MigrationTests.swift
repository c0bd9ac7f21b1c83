@testable import AuthKitCore
import AuthKitTesting
import Testing

/// From one store to another: copied, read back, compared, and only then removed.
@Suite(.timeLimit(.minutes(1))) struct MigrationTests {
    private let source = InMemoryStore()
    private let target = InMemoryStore()
    private let slots = ["a", "b", "c"]

    private func vaults() async throws -> (source: Vault, target: Vault) {
        let vault = try await VaultFixture.open(source, key: 1)
        for slot in slots {
            let version = try await vault.save(try VaultFixture.credential(slot, "older"), replacing: nil)
            var newer = try VaultFixture.credential(slot)
            newer.incarnation = version.incarnation
            try await vault.save(newer, replacing: version, due: WallTime(seconds: 77))
        }
        return (vault, try await VaultFixture.open(target, key: 2))
    }

    @Test func `everything is copied and nothing is taken away`() async throws {
        let (from, to) = try await vaults()
        let counts = Guarded<[Int]>([])
        let report = try await from.migrate(to: to) { count in counts.withLock { $0.append(count) } }
        #expect(report.copied == 3)
        #expect(report.isComplete)
        #expect(report.purged == 0)
        #expect(counts.withLock { $0 } == [1, 2, 3])
        for slot in slots {
            let entry = try await to.load(VaultFixture.id(slot))
            #expect(try await from.load(VaultFixture.id(slot)) == entry)
            #expect(try await to.summary(of: VaultFixture.id(slot))?.due == WallTime(seconds: 77))
        }
        #expect(try await from.migrate(to: to).present == 3)
    }

    @Test func `the source is emptied when that is asked for, after everything was copied`() async throws {
        let (from, to) = try await vaults()
        let report = try await from.migrate(to: to, purgingSource: true)
        #expect(report.copied == 3)
        #expect(report.purged == 3)
        #expect(try await VaultFixture.records(source).isEmpty)
        #expect(try await to.listing().summaries.count == 3)
    }

    @Test func `a copy that reads back otherwise leaves the source whole`() async throws {
        let (from, _) = try await vaults()
        let forgetful = ForgetfulStore(target)
        let to = try await VaultFixture.open(forgetful, key: 2)
        #expect(await vaultCode { try await from.migrate(to: to, purgingSource: true) } == .copyDiffers)
        #expect(try await VaultFixture.records(source).count == 3)
    }

    @Test(arguments: 1...3)
    func `cut short at any write it goes on where it ended and loses nothing`(_ number: Int) async throws {
        for isTarget in [false, true] {
            let source = InMemoryStore()
            let target = InMemoryStore()
            let vault = try await VaultFixture.open(source, key: 1)
            for slot in slots { try await vault.save(try VaultFixture.credential(slot), replacing: nil) }
            _ = try await VaultFixture.open(target, key: 2)
            let from = try await VaultFixture.open(isTarget ? source : StepStore(source, .dieAfter(number)), key: 1)
            let to = try await VaultFixture.open(isTarget ? StepStore(target, .dieAfter(number)) : target, key: 2)
            #expect(await storeCode { try await from.migrate(to: to, purgingSource: true) } == .inputOutput)
            for slot in slots {
                let id = VaultFixture.id(slot)
                let here = try await VaultFixture.open(source, key: 1).load(id)
                let there = try await VaultFixture.open(target, key: 2).load(id)
                #expect(here != nil || there != nil)
            }
            let again = try await VaultFixture.open(target, key: 2)
            let report = try await VaultFixture.open(source, key: 1).migrate(to: again, purgingSource: true)
            #expect(report.isComplete)
            #expect(try await VaultFixture.records(source).isEmpty)
            #expect(try await again.listing().summaries.map(\.id.slot) == slots)
        }
    }

    @Test func `what the target has of its own is kept, and stays in the source`() async throws {
        let (from, to) = try await vaults()
        let id = VaultFixture.id("b")
        let mine = try VaultFixture.credential("b", "mine")
        try await to.save(mine, replacing: nil)
        let report = try await from.migrate(to: to, purgingSource: true)
        #expect(report.kept == [id])
        #expect(!report.isComplete)
        #expect(report.purged == 2)
        #expect(try await to.load(id)?.credential == mine)
        #expect(try await from.load(id) != nil)
        let replaced = try #require(await to.load(id)).version.revision
        let second = try await from.migrate(to: to, replacing: true, purgingSource: true)
        #expect(second.copied == 1)
        #expect(second.purged == 1)
        #expect(try await to.load(id)?.credential.refreshToken?.value.reveal() == "b")
        #expect(try #require(await to.load(id)).version.revision > replaced)
    }

    @Test func `a newer state of the source takes the place of an older copy, and not the other way round`()
        async throws
    {
        let (from, to) = try await vaults()
        _ = try await from.migrate(to: to)
        for (vault, slot) in [(from, "a"), (to, "b")] {
            let entry = try #require(await vault.load(VaultFixture.id(slot)))
            var changed = entry.credential
            changed.refreshToken = HeldToken(Secret("newest"))
            try await vault.save(changed, replacing: entry.version, due: WallTime(seconds: 77))
        }
        let report = try await from.migrate(to: to, purgingSource: true)
        #expect(report.copied == 1)
        #expect(report.kept == [VaultFixture.id("b")])
        for slot in ["a", "b"] {
            #expect(try await to.load(VaultFixture.id(slot))?.credential.refreshToken?.value.reveal() == "newest")
        }
    }

    @Test func `a refresh under way at the source is waited for and its answer comes along`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await rig.session(provider)
        let call = Task { try await session.token() }
        await latch.someoneArrived()
        let to = try await VaultFixture.open(target)
        let copied = Latch()
        let vault = try await rig.vault()
        let migration = Task {
            try await vault.migrate(to: to, purgingSource: true) { _ in copied.open() }
        }
        await copied.pass()
        latch.open()
        #expect(try await call.value.token.value.reveal() == "access-2")
        #expect(try await migration.value.purged == 1)
        #expect(try await to.load(rig.id)?.credential.refreshToken?.value.reveal() == "refresh-2")
        #expect(try await VaultFixture.records(rig.store).isEmpty)
    }

    @Test func `what does not open stays in the source and is told`() async throws {
        let (from, to) = try await vaults()
        var record = try #require(await VaultFixture.records(source).first)
        record.payload[50] ^= 1
        try await source.save(record, replacing: record.version, under: nil)
        let report = try await from.migrate(to: to, purgingSource: true)
        #expect(report.damaged == [record.key])
        #expect(report.purged == 2)
        #expect(try await VaultFixture.records(source).map(\.key) == [record.key])
    }

    @Test func `a store is not emptied into itself`() async throws {
        let (from, _) = try await vaults()
        let twin = try await VaultFixture.open(source, key: 1)
        #expect(
            await vaultCode { try await from.migrate(to: twin, replacing: true, purgingSource: true) } == .sameStore
        )
        #expect(try await VaultFixture.records(source).count == 3)
    }
}

/// A store that says that it saved what is new and did not.
private final class ForgetfulStore: TokenStore {
    private let base: InMemoryStore

    init(_ base: InMemoryStore) {
        self.base = base
    }

    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws {
        guard record.key == .header || expected != nil else { return }
        try await base.save(record, replacing: expected, under: lease)
    }
    func load(_ key: RecordKey) async throws -> SealedRecord? { try await base.load(key) }
    func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try await base.purge(key, expecting: expected)
    }
    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try await base.list(after: key, limit: limit)
    }
    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await base.lease(key, for: purpose, waiting: waiting)
    }
    func probe() async throws { try await base.probe() }
}
