@testable import AuthKitCore
import AuthKitTesting
import Testing

/// A new data key for every record.
@Suite(.timeLimit(.minutes(1))) struct RekeyDataTests {
    private let store = InMemoryStore()
    private let slots = (0..<5).map { "slot-\($0)" }

    private func filled() async throws -> Vault {
        let vault = try await VaultFixture.open(store)
        for slot in slots {
            try await vault.save(try VaultFixture.credential(slot), replacing: nil, due: WallTime(seconds: 77))
        }
        return vault
    }

    @Test func `every record is sealed anew at another place and keeps its version and due time`() async throws {
        let vault = try await filled()
        let before = try await VaultFixture.records(store)
        var entries: [VaultEntry?] = []
        for slot in slots { entries.append(try await vault.load(VaultFixture.id(slot))) }
        let counts = Guarded<[Int]>([])
        let report = try await vault.rekeyData { count in counts.withLock { $0.append(count) } }
        #expect(report == DataKeyReport(moved: 5, damaged: []))
        #expect(report.isComplete)
        #expect(counts.withLock { $0 } == [1, 2, 3, 4, 5])
        let after = try await VaultFixture.records(store)
        #expect(after.count == 5)
        #expect(Set(after.map(\.key)).isDisjoint(with: before.map(\.key)))
        #expect(Set(after.map(\.issuerHash)).isDisjoint(with: before.map(\.issuerHash)))
        #expect(Set(after.map(\.keyID)).count == 1)
        #expect(Set(after.map(\.keyID)).isDisjoint(with: before.map(\.keyID)))
        #expect(Set(after.map(\.version)) == Set(before.map(\.version)))
        #expect(after.allSatisfy { $0.due == WallTime(seconds: 77) })
        for reader in [vault, try await VaultFixture.open(store)] {
            var read: [VaultEntry?] = []
            for slot in slots { read.append(try await reader.load(VaultFixture.id(slot))) }
            #expect(read == entries)
        }
        #expect(try await VaultFixture.keyCount(store) == 1)
    }

    @Test func `the old data key opens nothing any more`() async throws {
        let vault = try await filled()
        let old = vault.ring
        _ = try await vault.rekeyData()
        let records = try await VaultFixture.records(store)
        for record in records {
            #expect(throws: VaultError.self) { try old.sealing.open(.payload, of: record, named: "r") }
        }
    }

    @Test func `a lease stays the same, so that a refresh under way keeps others out`() async throws {
        let vault = try await filled()
        let lease = try await vault.lease(VaultFixture.id("slot-0"), for: .refresh, waiting: .zero)
        _ = try await vault.rekeyData()
        let other = try await VaultFixture.open(store)
        #expect(
            await storeCode { try await other.lease(VaultFixture.id("slot-0"), for: .refresh, waiting: .zero) } == .busy
        )
        await lease.release()
    }

    @Test func `a process that has the store open notices, whatever it does first`() async throws {
        let vault = try await filled()
        var others: [Vault] = []
        for _ in 0..<7 { others.append(try await VaultFixture.open(store)) }
        let entry = try #require(await others[1].load(VaultFixture.id("slot-1")))
        let second = try #require(await others[2].load(VaultFixture.id("slot-2")))
        _ = try await vault.rekeyData()
        let first = VaultFixture.id("slot-0")
        #expect(try await others[0].load(first)?.credential.refreshToken?.value.reveal() == "slot-0")
        var changed = entry.credential
        changed.refreshToken = HeldToken(Secret("newer"))
        let version = try await others[1].save(changed, replacing: entry.version)
        #expect(version.revision == entry.version.revision + 1)
        #expect(try await vault.load(changed.id) == VaultEntry(credential: changed, version: version))
        try await others[2].purge(second.credential.id, expecting: second.version)
        #expect(try await vault.load(second.credential.id) == nil)
        #expect(try await others[3].listing().summaries.map(\.id.slot) == ["slot-0", "slot-1", "slot-3", "slot-4"])
        try await others[4].save(try VaultFixture.credential("new"), replacing: nil)
        #expect(try await vault.load(VaultFixture.id("new")) != nil)
        #expect(
            await storeCode { try await others[5].save(try VaultFixture.credential("slot-0"), replacing: nil) }
                == .conflict
        )
        let record = try #require(await VaultFixture.records(store).first)
        #expect(try await others[6].open(record).version == record.version)
    }

    @Test func `it can be done again and again, by anyone`() async throws {
        let vault = try await filled()
        let other = try await VaultFixture.open(store)
        for _ in 0..<3 {
            #expect(try await vault.rekeyData().moved == 5)
            #expect(try await other.rekeyData().moved == 5)
        }
        #expect(try await vault.listing().summaries.count == 5)
        #expect(try await VaultFixture.open(store).listing().summaries.count == 5)
    }

    @Test func `a record that does not open stays, keeps the old key, and is told by name`() async throws {
        let vault = try await filled()
        let id = VaultFixture.id("slot-2")
        let place = try vault.ring.current.recordKey(for: id)
        var record = try #require(await store.load(place))
        record.payload[60] ^= 1
        try await store.save(record, replacing: record.version, under: nil)
        let report = try await vault.rekeyData()
        #expect(report == DataKeyReport(moved: 4, damaged: [place]))
        #expect(!report.isComplete)
        #expect(try await VaultFixture.keyCount(store) == 2)
        let other = try await VaultFixture.open(store)
        for reader in [vault, other] {
            #expect(await vaultCode { try await reader.load(id) } == .tampered)
            #expect(try await reader.load(VaultFixture.id("slot-3")) != nil)
        }
        #expect(try await other.rekeyData() == DataKeyReport(moved: 0, damaged: [place]))
        // A sign-in replaces it by version; then nothing needs the old key.
        try await other.save(try VaultFixture.credential("slot-2"), replacing: try await other.version(of: id))
        #expect(try await other.rekeyData() == DataKeyReport(moved: 1, damaged: []))
        #expect(try await VaultFixture.keyCount(store) == 1)
        #expect(try await vault.listing().summaries.count == 5)
    }

    @Test func `a damaged record can be removed, and no other can be so`() async throws {
        let vault = try await filled()
        let place = try vault.ring.current.recordKey(for: VaultFixture.id("slot-2"))
        #expect(await storeCode { try await vault.purge(damaged: place) } == .conflict)
        #expect(await storeCode { try await vault.purge(damaged: .header) } == .conflict)
        var record = try #require(await store.load(place))
        record.keyID[0] ^= 1
        try await store.save(record, replacing: record.version, under: nil)
        #expect(try await vault.rekeyData().damaged == [place])
        try await vault.purge(damaged: place)
        #expect(try await vault.rekeyData().isComplete)
        #expect(try await vault.listing().summaries.count == 4)
    }

    @Test func `metadata that was changed is told, not made again, and can be removed`() async throws {
        let vault = try await filled()
        let place = try vault.ring.current.recordKey(for: VaultFixture.id("slot-2"))
        var record = try #require(await store.load(place))
        record.metadata[60] ^= 1
        try await store.save(record, replacing: record.version, under: nil)
        #expect(try await vault.listing().damaged == [place])
        #expect(try await vault.rekeyData() == DataKeyReport(moved: 4, damaged: [place]))
        try await vault.purge(damaged: place)
        #expect(try await vault.rekeyData().isComplete)
        #expect(try await vault.listing().summaries.count == 4)
    }

    @Test func `the room for an answer that is awaited is asked for at the new place as well`() async throws {
        let watched = WatchedStore()
        let vault = try await VaultFixture.open(watched)
        var credential = try VaultFixture.credential("work")
        credential.intents[TokenFingerprint(of: Secret("t"))] = Intent(sends: 1, at: WallTime(seconds: 1))
        try await vault.save(credential, replacing: nil)
        let reserves = Guarded<[Int]>([])
        _ = try await vault.rekeyData { _ in reserves.withLock { $0.append(watched.lastReserve) } }
        #expect(reserves.withLock { $0 }.first ?? 0 > Vault.answerRoom)
    }

    @Test func `the due time is shown without opening a token, and follows each save`() async throws {
        let vault = try await filled()
        let id = VaultFixture.id("slot-1")
        #expect(try await vault.summary(of: id)?.due == WallTime(seconds: 77))
        let entry = try #require(await vault.load(id))
        try await vault.save(entry.credential, replacing: entry.version, due: WallTime(seconds: 99))
        #expect(try await vault.summary(of: id)?.due == WallTime(seconds: 99))
        #expect(try await vault.listing().summaries.map(\.due?.seconds) == [77, 99, 77, 77, 77])
    }
}
