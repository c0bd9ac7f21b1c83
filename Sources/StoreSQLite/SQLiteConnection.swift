internal import AuthKitCore
internal import CSQLite

/// One connection to a database file, with its prepared statements.
///
/// Not Sendable: it is made on one actor's executor and then used under the lock of a `SharedConnection`.
@safe
final class SQLiteConnection {
    /// A longer blob or statement is refused; far above the 1 MiB that a token may have.
    private static let lengthLimit: Int32 = 16 << 20

    private let database: OpaquePointer
    private let busyMilliseconds: Int32
    private var statements: [SQLiteQuery: SQLiteStatement] = [:]

    private init(owning database: OpaquePointer, busyMilliseconds: Int32) {
        unsafe self.database = database
        self.busyMilliseconds = busyMilliseconds
    }

    deinit {
        statements = [:]
        // close_v2 fails on a bad pointer only; statements that live on close the file with the last of them.
        _ = unsafe sqlite3_close_v2(database)
    }

    /// Opens a file that exists and sets the connection up; the waits for other writers are bounded by a time-out.
    static func open(_ path: String, busyTimeout: Duration) throws(SQLiteFailure) -> SQLiteConnection {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        // There is a handle after most failures too, and it must be closed.
        guard let handle = unsafe handle else {
            throw SQLiteFailure(code: SQLITE_NOMEM, systemError: 0, operation: "open the database")
        }
        let wait = max(.zero, min(busyTimeout, .seconds(60))).components
        let milliseconds = wait.seconds * 1000 + wait.attoseconds / 1_000_000_000_000_000
        let connection = unsafe SQLiteConnection(owning: handle, busyMilliseconds: Int32(milliseconds))
        try connection.check(code, "open the database")
        _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, lengthLimit)  // The result is the limit before.
        try connection.wait(milliseconds: connection.busyMilliseconds)
        try connection.check(unsafe ak_sqlite3_set_defensive(handle), "set defensive mode")
        for pragma in [
            "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "temp_store = MEMORY",
            "secure_delete = ON",
            "synchronous = FULL",
        ] {
            try connection.execute("PRAGMA \(pragma)")
        }
        return connection
    }

    /// Whether the file could be opened for reading only.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(database, "main") == 1 }

    /// Whether the file was removed, moved or replaced since it was opened.
    func hasMoved() throws(SQLiteFailure) -> Bool {
        var moved: Int32 = 0
        try check(unsafe sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved), "find the database")
        return moved != 0
    }

    /// How many rows the last statement that writes has changed.
    var changedRows: Int { Int(unsafe sqlite3_changes(database)) }

    /// Runs a body in which what other processes hold is refused with `SQLITE_BUSY` at once.
    func withoutWaiting<Result>(_ body: () throws -> Result) throws -> Result {
        try wait(milliseconds: 0)
        let result: Result
        do {
            result = try body()
        } catch {
            try wait(milliseconds: busyMilliseconds)
            throw error
        }
        try wait(milliseconds: busyMilliseconds)
        return result
    }

    private func wait(milliseconds: Int32) throws(SQLiteFailure) {
        try check(unsafe sqlite3_busy_timeout(database, milliseconds), "set the time-out")
    }

    /// Runs statements that are not worth keeping, to their ends.
    func execute(_ sql: String) throws(SQLiteFailure) {
        let statement = try prepare(sql, operation: "run \(sql.prefix(40))", flags: 0)
        while try statement.step() {}
    }

    /// Runs a statement and reads the integer in its first row.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64? {
        let statement = try prepare(sql, operation: "run \(sql.prefix(40))", flags: 0)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Runs a statement and reads the text in its first row.
    func text(_ sql: String) throws(SQLiteFailure) -> String? {
        let statement = try prepare(sql, operation: "run \(sql.prefix(40))", flags: 0)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Runs a kept statement and gives each row to `row`, until it answers false.
    func run<E: Error>(
        _ query: SQLiteQuery,
        _ values: [SQLiteValue] = [],
        row: (SQLiteStatement) throws(E) -> Bool
    ) throws {
        let statement = try statement(query)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            guard try row(statement) else { return }
        }
    }

    /// Runs a kept statement that has no rows of interest.
    func run(_ query: SQLiteQuery, _ values: [SQLiteValue] = []) throws(SQLiteFailure) {
        let statement = try statement(query)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Runs a body in one transaction that excludes other writers from its start; durable on return.
    ///
    /// Whatever the body throws takes everything back.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run(.begin)
        do {
            let result = try body()
            try run(.commit)
            return result
        } catch {
            try takeBack()
            throw error
        }
    }

    /// Runs a body whose reads all see one state of the file, also within a transaction.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        guard unsafe sqlite3_get_autocommit(database) != 0 else { return try body() }
        try execute("BEGIN")
        do {
            let result = try body()
            try takeBack()
            return result
        } catch {
            try takeBack()
            throw error
        }
    }

    private func takeBack() throws(SQLiteFailure) {
        // Some failures, a full disk among them, end the transaction by themselves (lang_transaction.html).
        guard unsafe sqlite3_get_autocommit(database) == 0 else { return }
        try run(.rollback)
    }

    private func statement(_ query: SQLiteQuery) throws(SQLiteFailure) -> SQLiteStatement {
        if let kept = statements[query] { return kept }
        let made = try prepare(query.rawValue, operation: query.operation, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        statements[query] = made
        return made
    }

    private func prepare(
        _ sql: String,
        operation: String,
        flags: UInt32
    ) throws(SQLiteFailure) -> SQLiteStatement {
        var pointer: OpaquePointer?
        var sql = sql
        let code = sql.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe sqlite3_prepare_v3(database, bytes.baseAddress, Int32(bytes.count), flags, &pointer, nil)
            }
        }
        try check(code, operation)
        guard let pointer = unsafe pointer else {
            throw SQLiteFailure(code: SQLITE_MISUSE, systemError: 0, operation: operation)
        }
        return unsafe SQLiteStatement(owning: pointer, of: database, operation: operation)
    }

    private func check(_ code: Int32, _ operation: String) throws(SQLiteFailure) {
        guard code == SQLITE_OK else {
            throw SQLiteFailure(code: code, systemError: unsafe ak_sqlite3_system_errno(database), operation: operation)
        }
    }
}
