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

    /// Reads a row of the load or list statement; nil when it cannot be one of ours.
    init?(_ row: SQLiteStatement, withPayload: Bool) throws(SQLiteFailure) {
        guard let bytes = try row.blob(0), let key = RecordKey(bytes: bytes), let keyID = try row.blob(3),
            let version = try RecordVersion(row, firstColumn: 1), let issuerHash = try row.blob(4),
            let metadata = try row.blob(7), let payload = try withPayload ? row.blob(8) : []
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
    static func listed(_ row: SQLiteStatement) throws(SQLiteFailure) -> SealedRecord? {
        if let record = try SealedRecord(row, withPayload: false) { return record }
        guard let bytes = try row.blob(0), let key = RecordKey(bytes: bytes) else { return nil }
        return SealedRecord(unreadable: key, version: try RecordVersion(row, firstColumn: 1) ?? .unreadable)
    }
}

extension RecordVersion {
    /// The values that a statement compares with what is stored.
    var values: [SQLiteValue] { [.blob(incarnation.bytes), .integer(revision)] }

    /// Reads incarnation and revision from two neighbouring columns; nil when they cannot be of a record.
    init?(_ row: SQLiteStatement, firstColumn: Int32) throws(SQLiteFailure) {
        guard let bytes = try row.blob(firstColumn), let incarnation = Incarnation(bytes: bytes),
            let revision = row.integer(firstColumn + 1), 0..<Self.revisionLimit ~= revision
        else { return nil }
        self.init(incarnation: incarnation, revision: revision)
    }
}

extension SQLiteConnection {
    /// Reads a record; nil when there is none.
    ///
    /// Throws for a row that cannot be one of ours, or is too large for one.
    func record(_ key: RecordKey) throws -> SealedRecord? {
        var found: SealedRecord?
        do {
            try run(.load, [.blob(key.bytes)]) { row throws(SQLiteFailure) in
                guard let record = try SealedRecord(row, withPayload: true) else { throw .unreadable(key) }
                found = record
                return false
            }
        } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_TOOBIG {
            throw SQLiteFailure.unreadable(key)
        }
        return found
    }
}
