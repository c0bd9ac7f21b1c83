/// Keeps sealed records: bytes, compare-and-swap and leases.
///
/// It never sees a key or a token.
///
/// Run `TokenStoreConformance` of AuthKitTesting on yours to know when it is done. Errors are `StoreError`.
public protocol TokenStore: Sendable {
    /// Reads a record; nil when there is none.
    func load(_ key: RecordKey) async throws -> SealedRecord?

    /// Writes a record if what is stored has the version expected (`nil`: nothing is stored); durable on return.
    ///
    /// Throws `StoreError.Code.conflict` otherwise, and changes nothing. A store whose leases can expire refuses a
    /// save under one that is no longer held with `leaseLost`. When `record.reserve` is not zero, a later save of
    /// that many bytes more must succeed on a disk that has become full meanwhile.
    func save(_ record: SealedRecord, replacing expected: RecordVersion?, under lease: (any StoreLease)?) async throws

    /// Removes a record for good if it has the version expected. Sign-out does not use this: it saves a tombstone.
    func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws

    /// Records but the header, without their payloads, ordered by key: at most `limit` behind `key`.
    ///
    /// What a store cannot read as a record holds up no other: `load` throws `corrupt` or `newerFormat` for it, and a list
    /// has its key with nothing in it and a version that replaces it.
    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord]

    /// Takes the lease of a record for a purpose, waiting so long at most.
    ///
    /// One holder at a time for each key and purpose, across tasks and processes that share the store; a wait holds
    /// up no other call. Throws `StoreError.Code.busy` when the wait ends, `CancellationError` when the task is
    /// cancelled. `key` need not name a record: the vault leases by a key of its own that outlives a change of data keys.
    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease

    /// Proves that a save would work now, by a durable write that touches no record.
    func probe() async throws
}
