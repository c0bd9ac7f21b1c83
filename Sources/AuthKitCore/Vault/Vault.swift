/// Above a store: seals and opens credentials, and hands out what sessions share.
///
/// The only thing that sees both a store and its key. The data key is random, wrapped by a `KeySource`'s key, and held
/// in wiped memory while the vault lives. What is written to disk is the sealed record and nothing else.
public final class Vault: Sendable {
    /// The plaintext of one credential may not be larger.
    package static let credentialLimit = 4 << 20
    /// Room asked of the store while an intent is open: the largest answer that a token endpoint may give, and some.
    package static let answerRoom = (1 << 20) + (64 << 10)

    private let store: any TokenStore
    private let header: VaultHeader
    private let key: DataKey
    private let sealing: RecordSealing
    private let cells = Guarded<[CredentialID: WeakCell]>([:])

    private init(store: any TokenStore, header: VaultHeader, key: DataKey) {
        self.store = store
        self.header = header
        self.key = key
        sealing = RecordSealing(storeID: header.storeID, keys: [key.id: key])
    }

    /// Opens a store with its key, and makes the header of one that is empty.
    ///
    /// Throws `VaultError` when the key is wrong or not to be had, and `StoreError` from the store. Making a header
    /// writes one record; two that make it at once end with the same one.
    public static func open(_ store: any TokenStore, keySource: any KeySource) async throws -> Vault {
        for _ in 0..<3 {
            if let record = try await store.load(.header) {
                let header = try VaultHeader(parsing: record.metadata)
                let key = try await unwrap(header, with: keySource)
                return Vault(store: store, header: header, key: key)
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

    /// Names the store: 16 random bytes drawn when it was made.
    public var storeID: [UInt8] { header.storeID }

    /// Reads and opens a credential; nil when nothing was ever stored under its name.
    ///
    /// Throws `VaultError.Code.tampered`, naming the credential, when its record was changed by something else.
    public func load(_ id: CredentialID) async throws -> VaultEntry? {
        guard let record = try await store.load(try key.recordKey(for: id)) else { return nil }
        let plaintext = try sealing.open(.payload, of: record, named: id.description)
        guard let credential = try? StoredCredential(parsing: plaintext), credential.id == id,
            credential.incarnation == record.version.incarnation
        else { throw RecordSealing.tampered(id.description) }
        return VaultEntry(credential: credential, version: record.version)
    }

    /// Seals and saves a credential if what is stored has the version expected; durable on return.
    ///
    /// Throws `StoreError.Code.conflict` otherwise. `due` is when a worker should renew it.
    @discardableResult
    public func save(
        _ credential: StoredCredential,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)? = nil,
        due: WallTime? = nil
    ) async throws -> RecordVersion {
        let record = try seal(credential, revision: (expected?.revision ?? 0) + 1, due: due)
        do {
            try await store.save(record, replacing: expected, under: lease)
        } catch let error as StoreError where error.code == .conflict {
            // A save that was reported as failed and took effect finds what it wrote when it is tried again.
            guard let version = try await versionHolding(credential) else { throw error }
            return version
        }
        return record.version
    }

    /// The version that is stored under a name, whether its record opens or not.
    public func version(of id: CredentialID) async throws -> RecordVersion? {
        try await store.load(try key.recordKey(for: id))?.version
    }

    /// Removes a record for good; sign-out leaves a tombstone instead.
    public func purge(_ id: CredentialID, expecting version: RecordVersion) async throws {
        try await store.purge(try key.recordKey(for: id), expecting: version)
    }

    /// What is held, from metadata alone: opens no token.
    public func listing() async throws -> CredentialListing {
        var summaries: [CredentialSummary] = []
        var damaged: [RecordKey] = []
        var last: RecordKey?
        while true {
            let page = try await store.list(after: last, limit: 500)
            for record in page {
                if let bytes = try? sealing.open(.metadata, of: record, named: record.key.description),
                    let summary = try? CredentialSummary(parsing: bytes)
                {
                    summaries.append(summary)
                } else {
                    damaged.append(record.key)
                }
            }
            guard page.count == 500 else { break }
            last = page[page.count - 1].key
        }
        return CredentialListing(summaries: summaries.sorted { $0.id.slot < $1.id.slot }, damaged: damaged)
    }

    /// What is held of one credential, from metadata alone; nil when nothing was ever stored.
    public func summary(of id: CredentialID) async throws -> CredentialSummary? {
        guard let record = try await store.load(try key.recordKey(for: id)) else { return nil }
        let bytes = try sealing.open(.metadata, of: record, named: id.description)
        guard let summary = try? CredentialSummary(parsing: bytes), summary.id == id else {
            throw RecordSealing.tampered(id.description)
        }
        return summary
    }

    /// Takes a credential's lease.
    func lease(_ id: CredentialID, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await store.lease(try key.leaseKey(for: id), for: purpose, waiting: waiting)
    }

    /// Proves that a save would work now.
    public func probe() async throws {
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

    /// The version under which exactly this is stored; nil when something else is, or nothing that opens.
    private func versionHolding(_ credential: StoredCredential) async throws -> RecordVersion? {
        do {
            let entry = try await load(credential.id)
            return entry?.credential == credential ? entry?.version : nil
        } catch is VaultError {
            return nil
        }
    }

    private func seal(_ credential: StoredCredential, revision: Int64, due: WallTime?) throws -> SealedRecord {
        let plaintext = credential.serialized()
        guard plaintext.count <= Self.credentialLimit else {
            throw VaultError(.tooLarge, "The tokens of \(credential.id) are larger than 4 MiB; ask for fewer scopes.")
        }
        var record = SealedRecord(
            key: try key.recordKey(for: credential.id),
            version: RecordVersion(incarnation: credential.incarnation, revision: revision),
            keyID: key.id,
            issuerHash: try key.issuerHash(for: credential.id),
            due: due.map { WallTime(seconds: $0.seconds) },
            metadata: [],
            payload: [],
            reserve: credential.intents.isEmpty ? 0 : plaintext.count + Self.answerRoom
        )
        record.metadata = try sealing.seal(CredentialSummary(of: credential).serialized(), as: .metadata, of: record)
        record.payload = try sealing.seal(plaintext, as: .payload, of: record)
        return record
    }
}

/// A cell that lives as long as a session uses it.
private struct WeakCell: Sendable {
    weak let cell: CredentialCell?
}

extension Int {
    fileprivate var isPowerOfTwo: Bool { self > 0 && nonzeroBitCount == 1 }
}
