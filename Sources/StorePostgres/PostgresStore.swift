#if Postgres
public import AuthKitCore

/// A store in a PostgreSQL database that any number of machines share.
///
/// Records, leases and claims are rows of tables named `authkit_…`, made when absent. Leases expire, by the server's
/// clock: a save under one that has lapsed is refused in its own transaction (`lease_lost`). A save that returned is
/// durable at the server. Room cannot be reserved there, so `SealedRecord.reserve` asks for nothing.
///
/// The connections are the store's own, with prepared statements; a pooler before the server must keep sessions whole.
public final class PostgresStore: DueTokenStore {
    let pool: PostgresPool
    let options: Options
    private let turns: LeaseQueue

    private init(pool: PostgresPool, options: Options) {
        self.pool = pool
        self.options = options
        turns = LeaseQueue(time: options.time)
    }

    /// Where the server is, in words, without user or password.
    public var place: String { pool.place }

    /// Opens the store that a connection string names: a URI (`postgres://…`) or keywords and values.
    ///
    /// libpq reads it, with `sslmode`, service files, PGPASSWORD and all; no error shows a password. Makes or updates
    /// the tables. Throws `invalid_configuration` (a wrong address, user or password, no such database or
    /// schema), `cannot_create` (no libpq, no right to make tables), `unavailable` (no server there), `untrusted` (a
    /// certificate that does not verify, no TLS), `newer_format`, `corrupt` or `busy`.
    public static func open(_ address: String, options: Options = Options()) async throws -> PostgresStore {
        try await open(address, options: options, migrations: PostgresSchema.migrations)
    }

    /// Opens it with tables as these migrations leave them.
    static func open(_ address: String, options: Options, migrations: [String]) async throws -> PostgresStore {
        let library = try PostgresLibrary.shared.get()
        var options = options
        options.connectionLimit = max(1, min(options.connectionLimit, 1000))
        options.leaseDuration = max(.milliseconds(1), min(options.leaseDuration, .seconds(3600)))
        options.statementLimit = max(.milliseconds(100), min(options.statementLimit, .seconds(600)))
        let pool = PostgresPool(try PostgresAddress(address, library: library), library: library, options: options)
        let place = pool.place
        try await pool.run(patience: .whileStarting) { connection, _ in
            try PostgresSchema.bringUpToDate(connection, place: place, by: migrations)
            _ = try connection.run(.sweepLeases)
        }
        return PostgresStore(pool: pool, options: options)
    }

    /// Closes the connections; every later call but this throws `input_output`.
    public func close() async {
        await pool.close()
    }

    /// Reads a record; nil when there is none, `corrupt` when its row cannot be one.
    public func load(_ key: RecordKey) async throws -> SealedRecord? {
        let rows = try await pool.run { connection, _ in try connection.run(.load, [.bytes(key.bytes)]) }
        return try rows.first.map { row in
            guard let record = SealedRecord(row) else { throw StoreError.unreadable(key, at: place) }
            return record
        }
    }

    /// Writes a record if what is stored has the version expected; throws `conflict` otherwise.
    ///
    /// Durable on return. Throws `lease_lost`, and changes nothing, under a lease that has lapsed or is another
    /// store's.
    public func save(
        _ record: SealedRecord,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)?
    ) async throws {
        var values = record.columns
        values += expected.map { [.bytes($0.incarnation.bytes), .integer($0.revision)] } ?? [.null, .null]
        let held = lease as? PostgresLease
        // A lease of another kind of store cannot be held here, nor one that was given back.
        guard lease == nil || held?.isHeld == true else { throw PostgresLease.lost }
        values += held?.identity ?? [.null, .null, .null, .null]
        let verdict = try await pool.run(lane: .urgent) { [values] connection, isRepeat in
            let verdict = try Self.write(record, values, replacing: expected, connection)
            guard verdict != 0, isRepeat else { return verdict }
            // The first try may have been done before its answer was lost: then exactly this is stored.
            let stored = try connection.run(.load, [.bytes(record.key.bytes)]).first
            var same = record
            same.reserve = 0
            return stored.flatMap { SealedRecord($0) } == same ? 0 : verdict
        }
        switch verdict {
        case 0: return
        case 2: throw await held?.lose() ?? PostgresLease.lost
        default: throw Self.conflict
        }
    }

    /// Compares and swaps; gives the verdict of the save statement.
    private static func write(
        _ record: SealedRecord,
        _ values: [PostgresValue],
        replacing expected: RecordVersion?,
        _ connection: PostgresConnection
    ) throws -> Int64? {
        let verdict = try connection.run(.save, values).first?.integer(0)
        guard verdict == 1, expected == .unreadable else { return verdict }
        // What has no version to compare goes first, with the save or not at all.
        return try connection.transaction {
            guard try !connection.run(.purgeUnreadable, [.bytes(record.key.bytes)]).isEmpty else { return verdict }
            var values = values
            values.replaceSubrange(record.columns.count..<record.columns.count + 2, with: [.null, .null])
            let verdict = try connection.run(.save, values).first?.integer(0)
            guard verdict == 0 else { throw verdict == 2 ? PostgresLease.lost : conflict }
            return verdict
        }
    }

    /// Removes a record for good if it has the version expected; throws `conflict` otherwise.
    public func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        let values = Self.values(key, expected)
        let isGone = try await pool.run { connection, isRepeat in
            if try !connection.run(.purge, values).isEmpty { return true }
            if expected == .unreadable, try !connection.run(.purgeUnreadable, [.bytes(key.bytes)]).isEmpty {
                return true
            }
            return try isRepeat && connection.run(.version, [.bytes(key.bytes)]).isEmpty
        }
        guard isGone else { throw Self.conflict }
    }

    /// Records but the header, without their payloads, ordered by key: at most `limit` behind `key`.
    ///
    /// A row that cannot be read as a record is listed by its key, with nothing in it and a version that replaces it.
    public func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        let values: [PostgresValue] = [.bytes((key ?? .header).bytes), .integer(Int64(max(0, limit)))]
        let rows = try await pool.run { connection, _ in try connection.run(.list, values) }
        return rows.compactMap { SealedRecord.listed($0) }
    }

    /// Takes the lease of a record for a purpose, across all that use the database.
    ///
    /// First come, first served within the process; between processes the row is asked again and again, with jitter.
    /// The lease is extended while it is held.
    public func lease(
        _ key: RecordKey,
        for purpose: LeasePurpose,
        waiting: Duration
    ) async throws -> any StoreLease {
        let deadline = Deadline(waiting, from: options.time.now)
        let turn = try await turns.lease(key, for: purpose, waiting: waiting)
        do {
            return try await PostgresLease.take(key, for: purpose, in: self, turn: turn, until: deadline)
        } catch {
            await turn.release()
            throw error
        }
    }

    /// Proves that a save would work now, by a durable write that touches no record.
    public func probe() async throws {
        _ = try await pool.run { connection, _ in try connection.run(.probe) }
    }

    /// Claims records that are due, the earliest first, against other claimers for so long.
    ///
    /// Now is the server's, due times are what the writers' clocks said; rows that others are claiming at the moment
    /// are passed over. Where more is due than is asked for, records that were saved with a reserve come first.
    public func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord] {
        let due = before?.sinceEpoch.components
        let values: [PostgresValue] = [
            due.map { .integer($0.seconds) } ?? .null, due.map { .integer($0.attoseconds) } ?? .null,
            .integer(Int64(max(0, limit))), .integer(duration.milliseconds), .bytes(ExcludedIssuers.bytes(issuers)),
        ]
        let rows = try await pool.run { connection, _ in try connection.run(.claim, values) }
        // What cannot be read as a record keeps its claim, out of the others' way.
        return rows.compactMap { SealedRecord($0) }.sorted { left, right in
            guard let one = left.due, let other = right.due else { return left.due != nil }
            return one < other
        }
    }

    /// Gives a claim back if the record still has the version that was claimed; nothing happens otherwise.
    public func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws {
        let values = Self.values(key, version)
        _ = try await pool.run { connection, _ in try connection.run(.unclaim, values) }
    }

    private static func values(_ key: RecordKey, _ version: RecordVersion) -> [PostgresValue] {
        [.bytes(key.bytes), .bytes(version.incarnation.bytes), .integer(version.revision)]
    }

    private static let conflict = StoreError(
        .conflict,
        "The record was changed meanwhile; read it again and decide anew."
    )
}

extension Duration {
    /// Whole milliseconds, rounded up, within 30 days: the bound of every time that is sent.
    var milliseconds: Int64 {
        let parts = max(.zero, min(self, .seconds(30 * 86_400))).components
        return parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
#endif
