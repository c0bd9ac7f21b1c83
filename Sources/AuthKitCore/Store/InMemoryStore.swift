/// A store that keeps nothing: for tests, and for programs whose sign-ins end with the process.
///
/// Records are sealed here as in any store. Its leases hold within the process, and no disk can fail a save.
public final class InMemoryStore: TokenStore {
    private let records = Guarded<[RecordKey: SealedRecord]>([:])
    private let leases: LeaseQueue

    /// Makes an empty store; the time source serves the waits for leases.
    public init(time: any TimeSource = SystemTime()) {
        leases = LeaseQueue(time: time)
    }

    /// Reads a record; nil when there is none.
    public func load(_ key: RecordKey) async throws -> SealedRecord? {
        records.withLock { $0[key] }
    }

    /// Writes a record if what is stored has the version expected; throws `conflict` otherwise.
    public func save(
        _ record: SealedRecord,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)?
    ) async throws {
        try records.withLock { records in
            guard records[record.key]?.version == expected else { throw Self.conflict }
            records[record.key] = record
            records[record.key]?.reserve = 0
        }
    }

    /// Removes a record if it has the version expected; throws `conflict` otherwise.
    public func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try records.withLock { records in
            guard records[key]?.version == expected else { throw Self.conflict }
            records[key] = nil
        }
    }

    /// Records but the header, without their payloads, ordered by key: at most `limit` behind `key`.
    public func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        let start = (key ?? .header).bytes
        let found = records.withLock { records in
            records.values.filter { $0.key != .header && start.lexicographicallyPrecedes($0.key.bytes) }
        }
        return found.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.prefix(max(0, limit)).map {
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

    private static let conflict = StoreError(
        .conflict,
        "The record was changed meanwhile; read it again and decide anew."
    )
}
