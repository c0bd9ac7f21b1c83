/// What an import came to.
public struct ImportReport: Sendable, Hashable {
    /// Credentials and tombstones that were not here before.
    public internal(set) var added = 0
    /// Those that took the place of others.
    public internal(set) var replaced = 0
    /// Those that were left out for what was here already.
    public internal(set) var kept = 0

    /// How many the file holds.
    public var total: Int { added + replaced + kept }
}
