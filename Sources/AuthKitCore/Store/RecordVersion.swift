/// One state of one record: what compare-and-swap compares.
public struct RecordVersion: Sendable, Hashable {
    /// The life it belongs to.
    public let incarnation: Incarnation
    /// Counts the saves of the record, from 1.
    public let revision: Int64

    /// Makes a version.
    public init(incarnation: Incarnation, revision: Int64) {
        self.incarnation = incarnation
        self.revision = revision
    }
}
