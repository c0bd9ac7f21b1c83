/// A credential's record as it was found, with the keys that it was found by: they open it whatever happens to the
/// store's keys meanwhile.
struct FoundRecord: Sendable {
    /// The record, whole.
    let record: SealedRecord
    /// The keys.
    let ring: KeyRing
    /// The one whose name for the credential is the place that it was found at.
    let key: DataKey

    /// What it holds, with its version; `tampered` when it does not open, or belongs to another credential.
    func entry(as id: CredentialID) throws -> VaultEntry {
        try ring.entry(of: record, named: id.description) { credential in
            // What was sealed by the key that it was found by lies where that key says: there is nothing to look up.
            credential.id == id && (record.keyID == key.id || ring.places(credential.id, at: record))
        }
    }

    /// The same with its due time.
    func opened(as id: CredentialID) throws -> OpenedRecord {
        let entry = try entry(as: id)
        return OpenedRecord(credential: entry.credential, version: entry.version, due: record.due)
    }
}
