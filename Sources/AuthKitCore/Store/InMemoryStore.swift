/// A store that keeps nothing: for tests, and for programs whose sign-ins end with the process.
///
/// Records are sealed here as in any store. Its leases and claims hold within the process, and no disk can fail a save.
public final class InMemoryStore: DueTokenStore {
    private struct State {
        var records: [RecordKey: SealedRecord] = [:]
        /// The records that were saved with a reserve.
        var reserved: Set<RecordKey> = []
        var claims: [RecordKey: ClaimTerm] = [:]
    }

    private let state = Guarded(State())
    private let leases: LeaseQueue
    private let time: any TimeSource

    /// Makes an empty store; waits for leases and claims are counted by the time source.
    public init(time: any TimeSource = SystemTime()) {
        self.time = time
        leases = LeaseQueue(time: time)
    }

    /// Reads a record; nil when there is none.
    public func load(_ key: RecordKey) async throws -> SealedRecord? {
        state.withLock { $0.records[key] }
    }

    /// Writes a record if what is stored has the version expected; throws `conflict` otherwise.
    public func save(
        _ record: SealedRecord,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)?
    ) async throws {
        try state.withLock { state in
            guard state.records[record.key]?.version == expected else { throw Self.conflict }
            state.records[record.key] = record
            state.records[record.key]?.reserve = 0
            if record.reserve > 0 { state.reserved.insert(record.key) } else { state.reserved.remove(record.key) }
            state.claims[record.key] = nil
        }
    }

    /// Removes a record if it has the version expected; throws `conflict` otherwise.
    public func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try state.withLock { state in
            guard state.records[key]?.version == expected else { throw Self.conflict }
            state.records[key] = nil
            state.reserved.remove(key)
            state.claims[key] = nil
        }
    }

    /// Records but the header, without their payloads, ordered by key: at most `limit` behind `key`.
    public func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        let start = key ?? .header
        let found = state.withLock { state in
            state.records.values.filter { $0.key != .header && start < $0.key }
        }
        return found.sorted { $0.key < $1.key }.prefix(max(0, limit)).map {
            var record = $0
            record.payload = []
            return record
        }
    }

    /// Takes a lease within this process, waiting so long at most.
    public func lease(
        _ key: RecordKey,
        for purpose: LeasePurpose,
        waiting: Duration
    ) async throws -> any StoreLease {
        try await leases.lease(key, for: purpose, waiting: waiting)
    }

    /// Does nothing: a save into memory works.
    public func probe() async throws {}

    /// Claims records whose due time has come, the earliest first, within this process.
    public func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord] {
        let now = time.now
        let latest = before ?? now.wall
        return state.withLock { state in
            var due: [(time: WallTime, record: SealedRecord)] = []
            for record in state.records.values where record.key != .header {
                guard let time = record.due, time <= latest, state.claims[record.key]?.holds(at: now) != true,
                    !issuers.contains(record.issuerHash)
                else { continue }
                due.append((time, record))
            }
            due.sort { ($0.time, $0.record.key) < ($1.time, $1.record.key) }
            // What was saved with a reserve is taken before the rest.
            let first = due.filter { state.reserved.contains($0.record.key) }.prefix(max(0, limit))
            let rest = due.filter { !state.reserved.contains($0.record.key) }.prefix(max(0, limit) - first.count)
            let claimed = (first + rest).sorted { ($0.time, $0.record.key) < ($1.time, $1.record.key) }
            for (_, record) in claimed { state.claims[record.key] = ClaimTerm(duration, from: now) }
            return claimed.map(\.record)
        }
    }

    /// Gives a claim back if the record still has this version; nothing happens otherwise.
    public func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws {
        state.withLock { state in
            if state.records[key]?.version == version { state.claims[key] = nil }
        }
    }

    private static let conflict = StoreError(
        .conflict,
        "The record was changed meanwhile; read it again and decide anew."
    )
}
