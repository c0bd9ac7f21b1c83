extension SealedRecord {
    /// Makes what a store lists in place of a record that it cannot read: the key, and the version that replaces it.
    package init(unreadable key: RecordKey, version: RecordVersion) {
        self.init(
            key: key,
            version: version,
            keyID: [],
            issuerHash: [],
            due: nil,
            metadata: [],
            payload: []
        )
    }

    /// Whether a store has listed it without having read it: a record that was sealed has metadata.
    var isUnreadable: Bool { metadata.isEmpty && payload.isEmpty }
}

extension RecordVersion {
    /// No record was saved so often; what counts on from a revision must not overflow.
    package static let revisionLimit: Int64 = 1 << 62

    /// The version of what has none that can be read, and is changed by nobody but whoever replaces it.
    ///
    /// It belongs to no life. What replaces it is newer than what stood there: revisions begin with the microseconds
    /// since 1970, which reach this one after 2100.
    package static let unreadable = RecordVersion(unreadableSince: 1 << 52)

    /// Makes the version of what cannot be read and was changed at a time, which is told apart from later changes.
    package init(unreadableSince microsecond: Int64) {
        guard let none = Incarnation(bytes: [UInt8](repeating: 0, count: 16)) else {
            preconditionFailure("16 bytes make an incarnation")
        }
        self.init(incarnation: none, revision: microsecond)
    }
}
