import AuthKitCore

/// A store in memory whose saves can be made to fail.
final class FailingStore: TokenStore {
    private let base = InMemoryStore()
    private let savesLeft = Guarded<Int?>(nil)

    /// Lets so many saves succeed and fails the rest.
    func failAfterSaves(_ count: Int) {
        savesLeft.withLock { $0 = count }
    }

    /// Lets all saves succeed.
    func heal() {
        savesLeft.withLock { $0 = nil }
    }

    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws {
        let fails = savesLeft.withLock { left in
            guard let count = left else { return false }
            left = max(0, count - 1)
            return count == 0
        }
        if fails { throw StoreError(.full, "The disk is full; make room.") }
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
