import AuthKitCore

/// A store over another one that dies at a write of a given number, or lets others in before it.
final class StepStore: TokenStore {
    /// What happens at the write of a number, counted from 1.
    enum Plan: Sendable {
        case nothing
        /// The write does not take place, and nothing does from then on.
        case dieBefore(Int)
        /// The write takes place, and nothing does from then on.
        case dieAfter(Int)
        /// Others do something first.
        case interpose(Int, @Sendable () async throws -> Void)
    }

    private struct State: Sendable {
        var writes = 0
        var isDead = false
    }

    private let base: any TokenStore
    private let plan: Plan
    private let state = Guarded(State())

    init(_ base: any TokenStore, _ plan: Plan = .nothing) {
        self.base = base
        self.plan = plan
    }

    /// How many writes were asked for.
    var writes: Int { state.withLock { $0.writes } }

    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws {
        try await write { try await base.save(record, replacing: expected, under: lease) }
    }

    func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try await write { try await base.purge(key, expecting: expected) }
    }

    func load(_ key: RecordKey) async throws -> SealedRecord? {
        try requireLife()
        return try await base.load(key)
    }

    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try requireLife()
        return try await base.list(after: key, limit: limit)
    }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try requireLife()
        return try await base.lease(key, for: purpose, waiting: waiting)
    }

    func probe() async throws {
        try requireLife()
        try await base.probe()
    }

    private func write(_ body: () async throws -> Void) async throws {
        try requireLife()
        let number = state.withLock { state in
            state.writes += 1
            return state.writes
        }
        switch plan {
        case .interpose(number, let work): try await work()
        case .dieBefore(number): state.withLock { $0.isDead = true }
        case .dieAfter(number):
            try await body()
            state.withLock { $0.isDead = true }
        default: break
        }
        try requireLife()
        try await body()
    }

    private func requireLife() throws {
        if state.withLock({ $0.isDead }) { throw StoreError(.inputOutput, "The process died, as the test wants it.") }
    }
}
