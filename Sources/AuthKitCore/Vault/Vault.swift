/// Above a store: seals and opens credentials, and hands out what sessions share.
///
/// The only thing that sees both a store and its key. The data key is random, wrapped by a `KeySource`'s key, and held
/// in wiped memory while the vault lives, beside the key that wraps it. What is written to disk is the sealed record and
/// nothing else. Other processes may change the store's keys meanwhile: the header is read again on a miss, on a
/// conflict and on a key that is not known.
public final class Vault: Sendable {
    /// The plaintext of one credential may not be larger.
    package static let credentialLimit = 4 << 20
    /// Room asked of the store while an intent is open: the largest answer that a token endpoint may give, and some.
    package static let answerRoom = (1 << 20) + (64 << 10)

    /// What follows the header.
    struct State: Sendable {
        /// The data keys.
        var ring: KeyRing
        /// What wraps them.
        var wrapping: WrappingKey
        /// Who gives what wraps them.
        var keySource: any KeySource
        /// Whether a record was found that names a key of the header.
        var isHeaderProven = false
    }

    let store: any TokenStore
    let state: Guarded<State>
    /// Names the store: 16 random bytes drawn when it was made.
    public let storeID: [UInt8]
    private let cells = Guarded<[CredentialID: WeakCell]>([:])

    private init(store: any TokenStore, state: State) {
        self.store = store
        storeID = state.ring.header.storeID
        self.state = Guarded(state)
    }

    /// Opens a store with its key, and makes the header of one that is empty.
    ///
    /// Throws `VaultError` when the key is wrong or not to be had, and `StoreError` from the store. Making a header
    /// writes one record; two that make it at once end with the same one.
    public static func open(_ store: any TokenStore, keySource: any KeySource) async throws -> Vault {
        for _ in 0..<3 {
            if let record = try await store.load(.header) {
                let header = try VaultHeader(record)
                let wrapping = try await WrappingKey.make(for: header, from: keySource)
                let ring = try ring(header, version: record.version, wrapping: wrapping)
                return Vault(store: store, state: State(ring: ring, wrapping: wrapping, keySource: keySource))
            }
            guard try await store.list(after: nil, limit: 1).isEmpty else {
                throw VaultError(
                    .headerMissing,
                    "The store holds records and no header, so nothing can open them; restore it from a copy."
                )
            }
            do {
                try await makeHeader(in: store, keySource: keySource)
            } catch let error as StoreError where error.code == .conflict {
                continue  // Somebody else made it meanwhile: theirs is read next.
            }
        }
        throw StoreError(.busy, "The store's header changes all the time; try again.")
    }

    /// Makes a vault over memory with a key that nobody else has, for tests and for programs that keep nothing.
    public static func inMemory() async throws -> Vault {
        let key = Base64URL.encode(try Random.bytes(32))
        return try await open(InMemoryStore(), keySource: EnvironmentKey(name: "memory") { _ in key })
    }

    /// The data keys as far as they are known here.
    var ring: KeyRing { state.withLock { $0.ring } }

    /// Reads and opens a credential; nil when nothing was ever stored under its name.
    ///
    /// Throws `VaultError.Code.tampered`, naming the credential, when its record was changed by something else, and
    /// `otherHeader` when nothing was found because the header is another store's.
    public func load(_ id: CredentialID) async throws -> VaultEntry? {
        guard let found = try await find(id) else { return nil }
        try await requireReadable(found, as: id)
        return try found.entry(as: id)
    }

    /// Opens a record that came from the store's own listing or claims, payload included.
    ///
    /// It may be a copy that is being moved to another data key: what counts is what `load` gives for its credential.
    /// Throws `VaultError.Code.tampered`, naming the record, when it was changed by something else, and
    /// `StoreError.Code.conflict` when it does not open and is no longer what is stored.
    public func open(_ record: SealedRecord) async throws -> VaultEntry {
        if ring.key(record.keyID) == nil { try await readHeaderAgain() }
        do {
            return try ring.entry(of: record, named: record.key.description)
        } catch let error as VaultError where error.code == .tampered {
            // Its key may have gone since it was read, and the record to another place.
            guard try await store.load(record.key)?.keyID == record.keyID else { throw Self.conflict }
            throw error
        }
    }

    /// The version that is stored under a name, whether its record opens or not.
    public func version(of id: CredentialID) async throws -> RecordVersion? {
        try await find(id)?.record.version
    }

    /// What is held of one credential, from metadata alone; nil when nothing was ever stored.
    public func summary(of id: CredentialID) async throws -> CredentialSummary? {
        guard let found = try await find(id) else { return nil }
        try await requireReadable(found, as: id)
        let summary = try found.ring.summary(of: found.record, named: id.description)
        guard summary.id == id else { throw RecordSealing.tampered(id.description) }
        return summary
    }

    /// Takes a credential's lease.
    func lease(_ id: CredentialID, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await store.lease(try ring.current.leaseKey(for: id), for: purpose, waiting: waiting)
    }

    /// Proves that a save would work now: the store takes a write, and the key that new records are sealed by is known.
    public func probe() async throws {
        try await readHeaderAgain()
        try await store.probe()
    }

    /// What all sessions over one credential share in this process: snapshot and flights.
    func cell(for id: CredentialID) -> CredentialCell {
        cells.withLock { cells in
            if let cell = cells[id]?.cell { return cell }
            if cells.count.isPowerOfTwo { cells = cells.filter { $0.value.cell != nil } }
            let cell = CredentialCell()
            cells[id] = WeakCell(cell: cell)
            return cell
        }
    }
}

/// A cell that lives as long as a session uses it.
private struct WeakCell: Sendable {
    weak let cell: CredentialCell?
}

extension Int {
    fileprivate var isPowerOfTwo: Bool { self > 0 && nonzeroBitCount == 1 }
}
