import AuthKitCore

/// A store in memory whose leases can expire, as those between machines do; the test says when.
final class FencedStore: TokenStore {
    private struct Slot: Hashable {
        let key: RecordKey
        let purpose: LeasePurpose
    }

    private struct State: Sendable {
        var fence: Int64 = 0
        var holders: [Slot: Int64] = [:]
        var extensions = 0
        var confirmations = 0
        var saves = 0
        var expiresAfterSaves: Int?
        var dues: [WallTime?] = []
        var confirmationFailure: StoreError.Code?
    }

    private let base = InMemoryStore()
    private let state = Guarded(State())

    /// How often more time was asked for.
    var extensions: Int { state.withLock { $0.extensions } }
    /// How often a lease was confirmed.
    var confirmations: Int { state.withLock { $0.confirmations } }
    /// The due times of all saves of credentials, in order.
    var dues: [WallTime?] { state.withLock { $0.dues } }

    /// Lets every confirmation fail with a code from now on; nil for none.
    func failConfirmations(as code: StoreError.Code?) { state.withLock { $0.confirmationFailure = code } }

    /// Lets the leases that are held lapse.
    func loseLease() { state.withLock { $0.holders = [:] } }

    /// Lets the leases that are held lapse once so many saves more have been made.
    func loseLease(afterSaves count: Int) {
        state.withLock { $0.expiresAfterSaves = $0.saves + count }
    }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        let slot = Slot(key: key, purpose: purpose)
        let number: Int64? = state.withLock { state in
            guard state.holders[slot] == nil else { return nil }
            state.fence += 1
            state.holders[slot] = state.fence
            return state.fence
        }
        guard let number else { throw StoreError(.busy, "Another one holds the lease; try again.") }
        return FencedLease(store: self, number: number)
    }

    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws {
        if let lease = lease as? FencedLease { try check(lease.number) }
        try await base.save(record, replacing: expected, under: nil)
        state.withLock { state in
            state.saves += 1
            if record.key != .header { state.dues.append(record.due) }
            if state.saves == state.expiresAfterSaves { state.holders = [:] }
        }
    }

    fileprivate func check(_ number: Int64) throws {
        guard state.withLock({ $0.holders.values.contains(number) }) else {
            throw StoreError(.leaseLost, "The lease lapsed, as the test wants it.")
        }
    }

    fileprivate func extend(_ number: Int64) throws {
        try check(number)
        state.withLock { $0.extensions += 1 }
    }

    fileprivate func confirm(_ number: Int64) throws {
        try check(number)
        if let code = state.withLock({ $0.confirmationFailure }) {
            throw StoreError(code, "The confirmation failed, as the test wants it.")
        }
        state.withLock { $0.confirmations += 1 }
    }

    fileprivate func release(_ number: Int64) {
        state.withLock { state in state.holders = state.holders.filter { $0.value != number } }
    }

    func load(_ key: RecordKey) async throws -> SealedRecord? { try await base.load(key) }
    func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try await base.purge(key, expecting: expected)
    }
    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try await base.list(after: key, limit: limit)
    }
    func probe() async throws { try await base.probe() }
}

/// A lease with a number, which is worth nothing once it has lapsed.
private struct FencedLease: StoreLease {
    let store: FencedStore
    let number: Int64
    var fencingNumber: Int64? { number }

    func confirm() async throws { try store.confirm(number) }
    func extend() async throws { try store.extend(number) }
    func release() async { store.release(number) }
}
