public import AuthKitCore

extension SQLiteStore {
    /// Claims records whose due time has come, the earliest first, against all processes that use the file.
    ///
    /// Claims count by the boot clock, which all processes of the machine share and nothing steps.
    public func claimDue(before: WallTime?, limit: Int, for duration: Duration) async throws -> [SealedRecord] {
        guard limit > 0 else { return [] }
        return try reportingFailures { connection in
            try requirePlace(connection)
            let now = time.now
            let latest = (before ?? now.wall).sinceEpoch.components
            let boot = SQLiteValue.blob(Array(now.boot.utf8))
            return try connection.transaction {
                var claimed: [SealedRecord] = []
                let values: [SQLiteValue] = [
                    .integer(latest.seconds), .integer(latest.attoseconds),
                    .integer(ClaimTerm.nanoseconds(now.sinceBoot)), boot, .integer(Int64(limit)),
                ]
                try connection.run(.due, values) { row in
                    claimed.append(try SealedRecord(row, withPayload: true))
                    return true
                }
                let term = ClaimTerm(duration, from: now)
                for record in claimed {
                    try connection.run(.claim, [.blob(record.key.bytes), boot, .integer(term.end)])
                }
                return claimed
            }
        }
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
