/// A credential's record as it was found, with the keys that it was found by: they open it whatever happens to the
/// store's keys meanwhile.
struct FoundRecord: Sendable {
    /// The record, whole.
    let record: SealedRecord
    /// The keys.
    let ring: KeyRing

    /// What it holds; `tampered` when it does not open, or belongs to another credential.
    func opened(as id: CredentialID) throws -> OpenedRecord {
        let entry = try ring.entry(of: record, named: id.description, expecting: id)
        return OpenedRecord(credential: entry.credential, version: entry.version, due: record.due)
    }
}
