public import AuthKitCore

extension SQLiteStore {
    /// Claims records whose due time has come, the earliest first, against all processes that use the file.
    ///
    /// Claims count by the boot clock, which all processes of the machine share and nothing steps.
    public func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord] {
        guard limit > 0 else { return [] }
        return try reportingFailures { connection in
            try requirePlace(connection)
            let now = time.now
            let latest = before ?? now.wall
            return try connection.transaction {
                let keys = try Self.dueKeys(by: latest, limit: limit, excluding: issuers, at: now, connection)
                var claimed: [SealedRecord] = []
                for key in keys {
                    try connection.run(.load, [key]) { row in
                        if let record = try SealedRecord(row, withPayload: true) { claimed.append(record) }
                        return false
                    }
                }
                claimed.sort { ($0.due ?? latest, $0.key) < ($1.due ?? latest, $1.key) }
                let term = ClaimTerm(duration, from: now)
                for key in keys {
                    try connection.run(.claim, [key, .blob(Array(term.boot.utf8)), .integer(term.end)])
                }
                return claimed
            }
        }
    }

    /// The keys of what a claim is to take: of what is due and free, first the records with promised room.
    private static func dueKeys(
        by latest: WallTime,
        limit: Int,
        excluding issuers: Set<[UInt8]>,
        at now: Moment,
        _ connection: SQLiteConnection
    ) throws -> [SQLiteValue] {
        let due = latest.sinceEpoch.components
        let instant = ClaimTerm(.zero, from: now)
        let excluded = SQLiteValue.blob(ExcludedIssuers.bytes(issuers))
        var keys: [SQLiteValue] = []
        for query in [SQLiteQuery.dueWithRoom, .due] where keys.count < limit {
            let values: [SQLiteValue] = [
                .integer(due.seconds), .integer(due.attoseconds), .integer(instant.end),
                .blob(Array(instant.boot.utf8)), .integer(Int64(limit - keys.count)), excluded,
            ]
            try connection.run(query, values) { row in
                if let key = try row.blob(0) { keys.append(.blob(key)) }
                return true
            }
        }
        return keys
    }

    /// Gives a claim back if the record still has this version; nothing happens otherwise.
    public func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws {
        try reportingFailures { connection in
            try requirePlace(connection)
            try connection.transaction {
                let values: [SQLiteValue] = [
                    .blob(key.bytes), .blob(version.incarnation.bytes), .integer(version.revision),
                ]
                try connection.run(.unclaim, values)
            }
        }
    }
}
