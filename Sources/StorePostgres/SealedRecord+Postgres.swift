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

    /// Reads a row of the load, list or claim statement; throws `corrupt` when it cannot be one of ours.
    init(_ row: PostgresRow, place: String) throws(StoreError) {
        guard let key = row.bytes(0).flatMap({ RecordKey(bytes: $0) }),
            let incarnation = row.bytes(1).flatMap({ Incarnation(bytes: $0) }), let revision = row.integer(2),
            let keyID = row.bytes(3), let issuerHash = row.bytes(4), let metadata = row.bytes(7),
            let payload = row.bytes(8)
        else {
            throw StoreError(
                .corrupt,
                "A row of the store at \(place) cannot be read; restore the database from a copy."
            )
        }
        var due: WallTime?
        if let seconds = row.integer(5), let attoseconds = row.integer(6) {
            due = WallTime(sinceEpoch: Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
        }
        self.init(
            key: key,
            version: RecordVersion(incarnation: incarnation, revision: revision),
            keyID: keyID,
            issuerHash: issuerHash,
            due: due,
            metadata: metadata,
            payload: payload
        )
    }
}
#endif
