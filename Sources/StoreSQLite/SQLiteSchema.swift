internal import AuthKitCore

/// What a database file of ours looks like, and how it becomes so.
enum SQLiteSchema {
    /// "AKS1" in the file's application_id: tells a store from other SQLite files.
    static let applicationID: Int64 = 0x414B_5331
    /// The newest format, in user_version.
    static let version: Int64 = 2

    /// What a file was found to be.
    enum State: Sendable {
        case ready
        case empty
        case older(Int64)
    }

    /// Reads what a file is, without a change.
    ///
    /// Throws `corrupt` for a database of somebody else and `newer_format` for a store of a later version.
    static func state(of connection: SQLiteConnection, path: String) throws -> State {
        // In one snapshot: another process may be making the store between two reads.
        try connection.snapshot { try stateNow(of: connection, path: path) }
    }

    private static func stateNow(of connection: SQLiteConnection, path: String) throws -> State {
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard application == applicationID else {
            let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
            guard application == 0, version == 0, tables == 0 else {
                throw StoreError(
                    .corrupt,
                    "\(path) is a database of another program; choose another file for the store."
                )
            }
            return .empty
        }
        guard version <= Self.version else {
            throw StoreError(
                .newerFormat,
                "\(path) has format \(version) and this version reads up to \(Self.version); update it and try again."
            )
        }
        guard version == Self.version else { return .older(version) }
        return try connection.text("PRAGMA journal_mode") == "wal" ? .ready : .older(version)
    }

    /// Makes a file ready; the caller holds the setup lock, so that one process at a time does this.
    static func prepare(_ connection: SQLiteConnection, path: String) throws {
        if case .ready = try state(of: connection, path: path) { return }
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreError(
                .unsupportedPlace,
                "The place of \(path) cannot keep a write-ahead log; choose a directory on a local disk, or memory:."
            )
        }
        try connection.transaction {
            switch try state(of: connection, path: path) {
            case .ready: return
            case .empty:
                try makeVersion1(connection)
                try makeVersion2(of: connection)
            case .older(1): try makeVersion2(of: connection)
            case .older(let version):
                throw StoreError(.corrupt, "\(path) has format \(version), which never was; put back a copy of it.")
            }
        }
    }

    private static func makeVersion1(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        // `room` is what is promised to the record's next save; `probe` is written where nothing else is to change.
        try connection.execute(
            """
            CREATE TABLE records (
                key BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32),
                incarnation BLOB NOT NULL CHECK (length(incarnation) = 16),
                revision INTEGER NOT NULL,
                key_id BLOB NOT NULL,
                issuer_hash BLOB NOT NULL,
                due_seconds INTEGER,
                due_attoseconds INTEGER,
                room INTEGER NOT NULL,
                metadata BLOB NOT NULL,
                payload BLOB NOT NULL
            ) STRICT
            """
        )
        try connection.execute("CREATE INDEX records_with_room ON records (room) WHERE room > 0")
        try connection.execute("CREATE TABLE probe (writes INTEGER NOT NULL) STRICT")
        try connection.execute("INSERT INTO probe VALUES (0)")
        try connection.execute("PRAGMA application_id = \(applicationID)")
    }

    /// Adds the claims of workers, and an order by due time.
    private static func makeVersion2(of connection: SQLiteConnection) throws(SQLiteFailure) {
        // A claim ends at a time of the boot clock, in nanoseconds since the boot that is named.
        try connection.execute("ALTER TABLE records ADD COLUMN claimed_boot BLOB")
        try connection.execute("ALTER TABLE records ADD COLUMN claimed_until INTEGER")
        try connection.execute(
            """
            CREATE INDEX records_by_due ON records (due_seconds, due_attoseconds, key) WHERE due_seconds IS NOT NULL
            """
        )
        try connection.execute("PRAGMA user_version = 2")
    }
}
