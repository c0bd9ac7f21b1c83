internal import AuthKitCore

/// A store whose waits are known while they last, so that a limit which passes can say that a lock was the reason.
struct WatchedStore: TokenStore {
    private let store: any TokenStore
    private let waits: LockWaits
    private let isRemote: Bool

    /// Watches a store; of one that `isRemote` the leases only, since any other call waits for its server.
    init(_ store: any TokenStore, waits: LockWaits, isRemote: Bool) {
        self.store = store
        self.waits = waits
        self.isRemote = isRemote
    }

    func load(_ key: RecordKey) async throws -> SealedRecord? { try await watched { try await store.load(key) } }

    func save(_ record: SealedRecord, replacing: RecordVersion?, under lease: (any StoreLease)?) async throws {
        try await watched { try await store.save(record, replacing: replacing, under: lease) }
    }

    func purge(_ key: RecordKey, expecting: RecordVersion) async throws {
        try await watched { try await store.purge(key, expecting: expecting) }
    }

    func list(after: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try await watched { try await store.list(after: after, limit: limit) }
    }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await waits.during { try await store.lease(key, for: purpose, waiting: waiting) }
    }

    func probe() async throws { try await watched { try await store.probe() } }

    private func watched<Result>(_ call: () async throws -> Result) async throws -> Result {
        isRemote ? try await call() : try await waits.during(call)
    }
}
