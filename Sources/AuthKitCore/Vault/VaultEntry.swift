/// A credential as it was read, with the version that a save has to replace.
public struct VaultEntry: Sendable, Hashable {
    /// What is stored.
    public let credential: StoredCredential
    /// Its version.
    public let version: RecordVersion

    /// Makes an entry.
    public init(credential: StoredCredential, version: RecordVersion) {
        self.credential = credential
        self.version = version
    }
}
