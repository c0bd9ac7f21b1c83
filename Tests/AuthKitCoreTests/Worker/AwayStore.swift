import AuthKitCore

/// A store over another one that can be away, whole or in part.
final class AwayStore: DueTokenStore {
    /// Claims fail.
    let isAway = Guarded(false)
    /// Saves fail.
    let refusesSaves = Guarded(false)
    /// So many purges work, and none after them.
    let purgesLeft = Guarded(Int.max)
    /// Where claims that are given back wait.
    let unclaimGate = Guarded<Latch?>(nil)
    private let base: InMemoryStore

    init(_ base: InMemoryStore) {
        self.base = base
    }

    func load(_ key: RecordKey) async throws -> SealedRecord? { try await base.load(key) }

    func save(_ record: SealedRecord, replacing: RecordVersion?, under lease: (any StoreLease)?) async throws {
        guard !refusesSaves.withLock({ $0 }) else { throw Self.away }
        try await base.save(record, replacing: replacing, under: lease)
    }

    func purge(_ key: RecordKey, expecting: RecordVersion) async throws {
        let isLeft = purgesLeft.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isLeft else { throw Self.away }
        try await base.purge(key, expecting: expecting)
    }

    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try await base.list(after: key, limit: limit)
    }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await base.lease(key, for: purpose, waiting: waiting)
    }

    func probe() async throws { try await base.probe() }

    func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord] {
        guard !isAway.withLock({ $0 }) else { throw Self.away }
        return try await base.claimDue(before: before, limit: limit, for: duration, excluding: issuers)
    }

    func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws {
        await unclaimGate.withLock { $0 }?.pass()
        try await base.unclaim(key, expecting: version)
    }

    private static let away = StoreError(.inputOutput, "The store is away.")
}
