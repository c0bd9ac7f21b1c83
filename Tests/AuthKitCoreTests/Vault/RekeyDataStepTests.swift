@testable import AuthKitCore
import AuthKitTesting
import Testing

/// A change of the data key that is cut short, or that others come in between, at each of its writes.
@Suite(.timeLimit(.minutes(5))) struct RekeyDataStepTests {
    private let slots = ["a", "b", "c"]
    /// Two for the header, two for each record.
    private static let writes = 8

    private func filled() async throws -> InMemoryStore {
        let store = InMemoryStore()
        let vault = try await VaultFixture.open(store)
        for slot in slots { try await vault.save(try VaultFixture.credential(slot), replacing: nil) }
        return store
    }

    /// What each slot holds, by a vault of its own and by its listing; each exactly once.
    private func contents(_ vault: Vault) async throws -> [String: String] {
        var found: [String: String] = [:]
        let listing = try await vault.listing()
        #expect(listing.damaged.isEmpty)
        for summary in listing.summaries {
            let entry = try await vault.load(summary.id)
            #expect(found[summary.id.slot] == nil)
            let isSignedOut = entry?.credential.state == .signedOut
            found[summary.id.slot] = isSignedOut ? "signed out" : entry?.credential.refreshToken?.value.reveal()
        }
        return found
    }

    private var untouched: [String: String] { Dictionary(uniqueKeysWithValues: slots.map { ($0, $0) }) }

    @Test func `it takes the writes that the other tests stop at`() async throws {
        let step = StepStore(try await filled())
        _ = try await VaultFixture.open(step).rekeyData()
        #expect(step.writes == Self.writes)
    }

    @Test(arguments: 1...RekeyDataStepTests.writes, [false, true])
    func `killed at any write it leaves each credential readable once, and the next run finishes`(
        _ number: Int,
        _ isWritten: Bool
    ) async throws {
        let store = try await filled()
        let other = try await VaultFixture.open(store)
        let step = StepStore(store, isWritten ? .dieAfter(number) : .dieBefore(number))
        let dying = try await VaultFixture.open(step)
        #expect(await storeCode { try await dying.rekeyData() } == .inputOutput)
        #expect(try await contents(other) == untouched)
        let reopened = try await VaultFixture.open(store)
        #expect(try await contents(reopened) == untouched)
        // What is saved between the runs survives the second one, by a vault that knows of the change or not.
        for (vault, slot) in [(other, "a"), (reopened, "b")] {
            let entry = try #require(await vault.load(VaultFixture.id(slot)))
            var changed = entry.credential
            changed.refreshToken = HeldToken(Secret("new-\(slot)"))
            try await vault.save(changed, replacing: entry.version)
        }
        try await other.save(try VaultFixture.credential("d"), replacing: nil)
        let last = try #require(await reopened.load(VaultFixture.id("c")))
        try await reopened.purge(VaultFixture.id("c"), expecting: last.version)
        let expected = ["a": "new-a", "b": "new-b", "d": "d"]
        #expect(try await contents(other) == expected)
        #expect(try await reopened.rekeyData().isComplete)
        #expect(try await VaultFixture.keyCount(store) == 1)
        #expect(try await VaultFixture.records(store).count == 3)
        for vault in [other, reopened, try await VaultFixture.open(store)] {
            #expect(try await contents(vault) == expected)
        }
    }

    /// What others do in between.
    enum Deed: String, CaseIterable, Sendable {
        case refresh, signOut, signInAnew, signInFirst, purge, look, list
    }

    @Test(arguments: 1...RekeyDataStepTests.writes, RekeyDataStepTests.Deed.allCases)
    func `what others do before any of its writes counts at the end`(_ number: Int, _ deed: Deed) async throws {
        for isLate in [false, true] {
            let store = try await filled()
            let known = try await VaultFixture.open(store)
            var before: [String: VaultEntry] = [:]
            for slot in slots { before[slot] = try await known.load(VaultFixture.id(slot)) }
            let entries = before
            // One that has had the store open all the time, or one that opens it in the middle.
            let deeds = Guarded<[Task<Void, any Error>]>([])
            let work: @Sendable () async throws -> Void = {
                let vault = isLate ? try await VaultFixture.open(store) : known
                let task = Task { try await Self.perform(deed, entries, vault) }
                deeds.withLock { $0.append(task) }
                // These wait for a lease that is held during the write; the others are done before it.
                guard deed == .signInFirst || deed == .purge else { return try await task.value }
                for _ in 0..<100 { await Task.yield() }
            }
            let step = StepStore(store, .interpose(number, work))
            let report = try await VaultFixture.open(step).rekeyData()
            for task in deeds.withLock({ $0 }) { try await task.value }
            #expect(report.isComplete)
            #expect(try await VaultFixture.keyCount(store) == 1)
            for vault in [known, try await VaultFixture.open(store)] {
                #expect(try await contents(vault) == expected(deed), "\(deed) before write \(number)")
            }
            let count = try await VaultFixture.records(store).count
            #expect(count == expected(deed).count)
        }
    }

    private func expected(_ deed: Deed) -> [String: String] {
        switch deed {
        case .refresh, .signInAnew: Dictionary(uniqueKeysWithValues: slots.map { ($0, "new-\($0)") })
        case .signOut:
            Dictionary(uniqueKeysWithValues: slots.map { ($0, "signed out") })
        case .signInFirst: untouched.merging(["d": "d"]) { first, _ in first }
        case .purge: [:]
        case .look, .list: untouched
        }
    }

    private static func perform(_ deed: Deed, _ entries: [String: VaultEntry], _ vault: Vault) async throws {
        switch deed {
        case .signInFirst: try await vault.save(try VaultFixture.credential("d"), replacing: nil)
        case .list: #expect(try await vault.listing().summaries.map(\.id.slot) == ["a", "b", "c"])
        default:
            for (slot, entry) in entries {
                switch deed {
                case .refresh:
                    var changed = entry.credential
                    changed.refreshToken = HeldToken(Secret("new-\(slot)"))
                    try await vault.save(changed, replacing: entry.version)
                case .signInAnew:
                    try await vault.save(try VaultFixture.credential(slot, "new-\(slot)"), replacing: entry.version)
                case .signOut:
                    let tombstone = StoredCredential(
                        id: entry.credential.id,
                        incarnation: try .draw(),
                        state: .signedOut
                    )
                    try await vault.save(tombstone, replacing: entry.version)
                case .purge: try await vault.purge(entry.credential.id, expecting: entry.version)
                default: #expect(try await vault.load(entry.credential.id) == entry)
                }
            }
        }
    }
}
