/// What an export came to.
public struct ExportReport: Sendable, Hashable {
    /// How many credentials and tombstones are in the file.
    public let exported: Int
    /// Records that do not open and were left out.
    public let damaged: [RecordKey]
}
