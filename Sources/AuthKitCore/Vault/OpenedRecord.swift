/// A record as it was read and opened, whole.
struct OpenedRecord: Sendable, Hashable {
    /// What is kept.
    let credential: StoredCredential
    /// Its version.
    let version: RecordVersion
    /// When it is due for renewal.
    let due: WallTime?

    /// Whether two stores hold the same; their revisions may differ.
    func isSame(as other: OpenedRecord) -> Bool { credential == other.credential && due == other.due }
}
