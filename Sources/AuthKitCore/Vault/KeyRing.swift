/// The data keys of a store as one version of its header has them, and what seals with them.
///
/// While a change of the data key is under way there are several. A record lies at a place of its key: it was sealed by
/// the key whose name for the credential is its record key.
final class KeyRing: Sendable {
    /// The header that they come from.
    let header: VaultHeader
    /// That header's version.
    let version: RecordVersion
    /// The keys on their way out; what lies at a place of theirs counts, whatever lies at a later one.
    let older: [DataKey]
    /// The key that new records are sealed by.
    let current: DataKey
    /// All keys in the order in which records are looked for.
    let keys: [DataKey]
    /// Seals and opens with all of them.
    let sealing: RecordSealing

    /// Makes a ring; the keys are those that the header names.
    init(_ header: VaultHeader, version: RecordVersion, keys: [DataKey]) throws {
        guard let current = keys.first(where: { $0.id == header.current }) else {
            throw VaultError(.tampered, "The store's header names a key that it does not hold; restore the store.")
        }
        self.header = header
        self.version = version
        self.current = current
        older = keys.filter { $0.id != header.current }
        self.keys = older + [current]
        sealing = RecordSealing(
            storeID: header.storeID,
            keys: Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// Whether a change of the data key is under way.
    var isChanging: Bool { !older.isEmpty }

    /// The key of an identifier, if it is one of these.
    func key(_ id: [UInt8]) -> DataKey? { sealing.keys[id] }
}

extension KeyRing {
    /// Opens a record's tokens; `tampered` when they do not open, or are not what its columns and place say.
    func entry(of record: SealedRecord, named name: @autoclosure () -> String) throws -> VaultEntry {
        try entry(of: record, named: name()) { places($0.id, at: record) }
    }

    /// The same, where the caller says whether the credential belongs to its place.
    func entry(
        of record: SealedRecord,
        named name: @autoclosure () -> String,
        belongs: (StoredCredential) -> Bool
    ) throws -> VaultEntry {
        let plaintext = try sealing.open(.payload, of: record, named: name())
        guard let credential = try? StoredCredential(parsing: plaintext),
            credential.incarnation == record.version.incarnation, belongs(credential)
        else { throw RecordSealing.tampered(name()) }
        return VaultEntry(credential: credential, version: record.version)
    }

    /// Whether a credential's name under the key that sealed a record is that record's place.
    func places(_ id: CredentialID, at record: SealedRecord) -> Bool {
        (try? key(record.keyID)?.recordKey(for: id)) == record.key
    }

    /// Opens a record's metadata; `tampered` when it does not open or cannot be read.
    func summary(of record: SealedRecord, named name: String) throws -> CredentialSummary {
        let bytes = try sealing.open(.metadata, of: record, named: name)
        guard var summary = try? CredentialSummary(parsing: bytes) else { throw RecordSealing.tampered(name) }
        summary.due = record.due
        return summary
    }
}
