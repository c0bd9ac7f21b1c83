/// What a change of the data key came to.
public struct DataKeyReport: Sendable, Hashable {
    /// How many records this run sealed anew.
    public let moved: Int
    /// Records that do not open, left where they are; while there are any the old key stays.
    public let damaged: [RecordKey]
    /// Whether the old key is gone from the store.
    public var isComplete: Bool { damaged.isEmpty }
}
