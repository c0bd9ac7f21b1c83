/// What a migration from one store to another came to.
public struct MigrationReport: Sendable, Hashable {
    /// Credentials and tombstones that were copied, read back and compared.
    public internal(set) var copied = 0
    /// Those that were in the target already, alike.
    public internal(set) var present = 0
    /// Those for which the target has something else, which was kept; they stay in the source as well.
    public internal(set) var kept: [CredentialID] = []
    /// Those that were removed from the source.
    public internal(set) var purged = 0
    /// Records of the source that do not open; they stay there.
    public internal(set) var damaged: [RecordKey] = []

    /// Whether the target has all that the source had.
    public var isComplete: Bool { kept.isEmpty && damaged.isEmpty }
}
