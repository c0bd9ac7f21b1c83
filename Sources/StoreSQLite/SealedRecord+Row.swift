internal import AuthKitCore
internal import CSQLite

extension SealedRecord {
    /// The values of the columns that the statements which write take first, in their order.
    var columns: [SQLiteValue] {
        let due = due?.sinceEpoch.components
        return [
            .blob(key.bytes), .blob(version.incarnation.bytes), .integer(version.revision), .blob(keyID),
            .blob(issuerHash), due.map { .integer($0.seconds) } ?? .null, due.map { .integer($0.attoseconds) } ?? .null,
            .blob(metadata), .blob(payload),
        ]
    }

    /// Reads a row of the load or list statement; throws when it cannot be one of ours.
    init(_ row: SQLiteStatement, withPayload: Bool) throws(SQLiteFailure) {
        guard let bytes = try row.blob(0), let key = RecordKey(bytes: bytes), let keyID = try row.blob(3),
            let issuerHash = try row.blob(4), let metadata = try row.blob(7),
            let payload = try withPayload ? row.blob(8) : []
        else { throw .malformedRow }
        var due: WallTime?
        if let seconds = row.integer(5), let attoseconds = row.integer(6) {
            due = WallTime(sinceEpoch: Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
        }
        self.init(
            key: key,
            version: try RecordVersion(row, firstColumn: 1),
            keyID: keyID,
            issuerHash: issuerHash,
            due: due,
            metadata: metadata,
            payload: payload
        )
    }
}

extension RecordVersion {
    /// The values that a statement compares with what is stored.
    var values: [SQLiteValue] { [.blob(incarnation.bytes), .integer(revision)] }

    /// Reads incarnation and revision from two neighbouring columns.
    init(_ row: SQLiteStatement, firstColumn: Int32) throws(SQLiteFailure) {
        guard let bytes = try row.blob(firstColumn), let incarnation = Incarnation(bytes: bytes),
            let revision = row.integer(firstColumn + 1)
        else { throw .malformedRow }
        self.init(incarnation: incarnation, revision: revision)
    }
}

extension SQLiteConnection {
    /// Reads a record; nil when there is none.
    func record(_ key: RecordKey) throws -> SealedRecord? {
        var found: SealedRecord?
        try run(.load, [.blob(key.bytes)]) { row throws(SQLiteFailure) in
            found = try SealedRecord(row, withPayload: true)
            return false
        }
        return found
    }
}

extension SQLiteFailure {
    /// A row that no version of ours has written.
    fileprivate static let malformedRow = SQLiteFailure(
        code: SQLITE_CORRUPT,
        systemError: 0,
        operation: "read a row"
    )
}
