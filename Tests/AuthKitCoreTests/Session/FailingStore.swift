import AuthKitCore

/// A store in memory whose saves can be made to fail.
final class FailingStore: TokenStore {
    private let base = InMemoryStore()
    private struct Plan: Sendable {
        var savesLeft: Int?
        var writesAllTheSame = false
        var failures = 0
    }

    private let plan = Guarded(Plan())

    /// Whether a save has failed so far.
    var hasFailed: Bool { plan.withLock { $0.failures > 0 } }

    /// Lets so many saves succeed and fails the rest, which write all the same if so asked.
    func failAfterSaves(_ count: Int, thoughWritten: Bool = false) {
        plan.withLock { $0 = Plan(savesLeft: count, writesAllTheSame: thoughWritten) }
    }

    /// Lets all saves succeed.
    func heal() {
        plan.withLock { $0.savesLeft = nil }
    }

    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws {
        let (fails, writes) = plan.withLock { plan in
            guard let count = plan.savesLeft else { return (false, true) }
            plan.savesLeft = max(0, count - 1)
            guard count == 0 else { return (false, true) }
            plan.failures += 1
            return (true, plan.writesAllTheSame)
        }
        if writes { try await base.save(record, replacing: expected, under: lease) }
        if fails { throw StoreError(.full, "The disk is full; make room.") }
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
