#if Postgres
internal import AuthKitCore

extension SealedRecord {
    /// The values that the save statement takes first, in its order.
    var columns: [PostgresValue] {
        let due = due?.sinceEpoch.components
        return [
            .bytes(key.bytes), .bytes(version.incarnation.bytes), .integer(version.revision), .bytes(keyID),
            .bytes(issuerHash), due.map { .integer($0.seconds) } ?? .null,
            due.map { .integer($0.attoseconds) } ?? .null, .bytes(metadata), .bytes(payload),
            .integer(reserve > 0 ? 1 : 0),
        ]
    }

    /// Reads a row of the load, list or claim statement; nil when it cannot be one of ours.
    init?(_ row: PostgresRow) {
        guard let key = row.bytes(0).flatMap({ RecordKey(bytes: $0) }), let version = RecordVersion(row),
            let keyID = row.bytes(3), let issuerHash = row.bytes(4), let metadata = row.bytes(7),
            let payload = row.bytes(8)
        else { return nil }
        var due: WallTime?
        if let seconds = row.integer(5), let attoseconds = row.integer(6) {
            guard attoseconds.magnitude < 1_000_000_000_000_000_000 else { return nil }
            due = WallTime(sinceEpoch: Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
        }
        self.init(
            key: key,
            version: version,
            keyID: keyID,
            issuerHash: issuerHash,
            due: due,
            metadata: metadata,
            payload: payload
        )
    }

    /// Reads a row of the list statement; of one that cannot be ours only the key, and the version that replaces it.
    static func listed(_ row: PostgresRow) -> SealedRecord? {
        if let record = SealedRecord(row) { return record }
        guard let key = row.bytes(0).flatMap({ RecordKey(bytes: $0) }) else { return nil }
        return SealedRecord(unreadable: key, version: RecordVersion(row) ?? .unreadable)
    }
}

extension RecordVersion {
    /// Reads the version in the columns behind the key; nil when it cannot be of a record.
    fileprivate init?(_ row: PostgresRow) {
        guard let incarnation = row.bytes(1).flatMap({ Incarnation(bytes: $0) }), let revision = row.integer(2),
            0..<Self.revisionLimit ~= revision
        else { return nil }
        self.init(incarnation: incarnation, revision: revision)
    }
}

extension StoreError {
    /// Tells of a row that is no record, or too large for one, while the others are sound.
    static func unreadable(_ record: RecordKey, at place: String) -> StoreError {
        guard record != .header else {
            return StoreError(
                .corrupt,
                "The store's header in the database at \(place) is damaged, without which nothing in it opens; put the row "
                    + "back from a copy of the database."
            )
        }
        return StoreError(
            .corrupt,
            "The record \(record) in the database at \(place) is damaged or no record; sign in again to replace what it held."
        )
    }
}
#endif
