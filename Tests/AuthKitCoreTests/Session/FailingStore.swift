import AuthKitCore

/// A store in memory whose saves can be made to fail.
final class FailingStore: TokenStore {
    private let base = InMemoryStore()
    private let failed = Guarded(Latch())
    private let saved = Guarded(Latch())
    private struct Plan: Sendable {
        var savesLeft: Int?
        var code = StoreError.Code.full
        var writesAllTheSame = false
        var failures = 0
    }

    private let plan = Guarded(Plan())

    /// How many saves have failed so far.
    var failures: Int { plan.withLock { $0.failures } }

    /// Waits until a save has failed since the plan was made.
    func untilFailed() async { await failed.withLock { $0 }.pass() }

    /// Waits until a save has succeeded since the store was healed.
    func untilSaved() async { await saved.withLock { $0 }.pass() }

    /// Lets so many saves succeed and fails the rest, which write all the same if so asked.
    func failAfterSaves(_ count: Int, as code: StoreError.Code = .full, thoughWritten: Bool = false) {
        failed.withLock { $0 = Latch() }
        plan.withLock { $0 = Plan(savesLeft: count, code: code, writesAllTheSame: thoughWritten) }
    }

    /// Lets all saves succeed.
    func heal() {
        saved.withLock { $0 = Latch() }
        plan.withLock { $0.savesLeft = nil }
    }

    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws {
        let (failure, writes): (StoreError.Code?, Bool) = plan.withLock { plan in
            guard let count = plan.savesLeft else { return (nil, true) }
            plan.savesLeft = max(0, count - 1)
            guard count == 0 else { return (nil, true) }
            plan.failures += 1
            return (plan.code, plan.writesAllTheSame)
        }
        if writes { try await base.save(record, replacing: expected, under: lease) }
        guard let failure else { return saved.withLock { $0 }.open() }
        failed.withLock { $0 }.open()
        throw StoreError(failure, "The save failed, as the test wants it.")
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
    func probe() async throws {
        if let failure = plan.withLock({ $0.savesLeft == 0 ? $0.code : nil }) {
            throw StoreError(failure, "The probe failed, as the test wants it.")
        }
        try await base.probe()
    }
}
