import AuthKitCore

/// A store in memory that notes what is asked of it, whose leases can be lost, and that lets others in before a save.
final class WatchedStore: TokenStore {
    private let base = InMemoryStore()
    private let asked = Guarded(0)
    private let reserve = Guarded(0)
    private let losing = Guarded(false)
    private let first = Guarded<Hooks>(Hooks())

    private struct Hooks: Sendable {
        var save: (@Sendable () async throws -> Void)?
        var lease: (@Sendable () async throws -> Void)?
    }

    /// How many leases were asked for so far.
    var leases: Int { asked.withLock { $0 } }

    /// The room asked for by the last save, in bytes.
    var lastReserve: Int { reserve.withLock { $0 } }

    /// Lets every lease be lost by the time it is confirmed.
    func loseLeases() { losing.withLock { $0 = true } }

    /// Does something else right before the next save.
    func beforeNextSave(_ work: @escaping @Sendable () async throws -> Void) { first.withLock { $0.save = work } }

    /// Does something else in the place of the next wait for a lease, which fails if that does.
    func beforeNextLease(_ work: @escaping @Sendable () async throws -> Void) { first.withLock { $0.lease = work } }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        asked.withLock { $0 += 1 }
        let work = first.withLock { hooks in
            defer { hooks.lease = nil }
            return hooks.lease
        }
        try await work?()
        let lease = try await base.lease(key, for: purpose, waiting: waiting)
        return losing.withLock { $0 } ? LostLease(base: lease) : lease
    }

    func load(_ key: RecordKey) async throws -> SealedRecord? { try await base.load(key) }
    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws {
        reserve.withLock { $0 = record.reserve }
        let work = first.withLock { hooks in
            defer { hooks.save = nil }
            return hooks.save
        }
        try await work?()
        try await base.save(record, replacing: expected, under: (lease as? LostLease)?.base ?? lease)
    }
    func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try await base.purge(key, expecting: expected)
    }
    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try await base.list(after: key, limit: limit)
    }
    func probe() async throws { try await base.probe() }
}

/// A lease that somebody took away.
private struct LostLease: StoreLease {
    let base: any StoreLease
    var fencingNumber: Int64? { base.fencingNumber }

    func confirm() async throws {
        throw StoreError(.leaseLost, "The lease is lost, as the test wants it.")
    }
    func extend() async throws { try await confirm() }
    func release() async { await base.release() }
}
