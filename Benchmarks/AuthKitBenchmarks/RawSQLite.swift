import CSQLite

/// The same statements as the store's, on a connection set up like its own, with nothing around them.
@safe
final class RawSQLite {
    private let database: OpaquePointer
    private let select: OpaquePointer
    private let upsert: OpaquePointer
    private let begin: OpaquePointer
    private let commit: OpaquePointer

    /// Makes a database with one table like the store's.
    init(path: String) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard unsafe sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle = unsafe handle else {
            throw BenchmarkError("The database \(path) does not open.")
        }
        let setup = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA mmap_size = 0;
            PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
            CREATE TABLE records (key BLOB NOT NULL PRIMARY KEY, incarnation BLOB NOT NULL, revision INTEGER NOT NULL,
                metadata BLOB NOT NULL, payload BLOB NOT NULL) STRICT;
            """
        guard unsafe sqlite3_exec(handle, setup, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkError("The database \(path) cannot be set up.")
        }
        let prepare = { (sql: String) throws -> OpaquePointer in
            var statement: OpaquePointer?
            guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
                let statement = unsafe statement
            else { throw BenchmarkError("'\(sql)' is no statement.") }
            return unsafe statement
        }
        unsafe database = handle
        unsafe select = try prepare("SELECT incarnation, revision, metadata, payload FROM records WHERE key = ?1")
        unsafe upsert = try prepare(
            """
            INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (key) DO UPDATE SET
            incarnation = excluded.incarnation, revision = excluded.revision, metadata = excluded.metadata,
            payload = excluded.payload
            """
        )
        unsafe begin = try prepare("BEGIN IMMEDIATE")
        unsafe commit = try prepare("COMMIT")
    }

    deinit {
        unsafe sqlite3_finalize(select)
        unsafe sqlite3_finalize(upsert)
        unsafe sqlite3_finalize(begin)
        unsafe sqlite3_finalize(commit)
        unsafe sqlite3_close_v2(database)
    }

    /// Reads a row; how many bytes its blobs have.
    func load(_ key: [UInt8]) throws -> Int {
        unsafe bind(key, 1, select)
        guard unsafe sqlite3_step(select) == SQLITE_ROW else { throw BenchmarkError("There is no such row.") }
        var count = 0
        for column in [0, 2, 3] as [Int32] {
            guard let bytes = unsafe sqlite3_column_blob(select, column) else { continue }
            let length = Int(unsafe sqlite3_column_bytes(select, column))
            count += unsafe Array(UnsafeRawBufferPointer(start: bytes, count: length)).count
        }
        unsafe sqlite3_reset(select)
        return count
    }

    /// Writes a row in a transaction of its own; durable on return.
    func save(_ key: [UInt8], revision: Int64, metadata: [UInt8], payload: [UInt8]) throws {
        try unsafe run(begin)
        unsafe bind(key, 1, upsert)
        unsafe bind([UInt8](repeating: 1, count: 16), 2, upsert)
        unsafe sqlite3_bind_int64(upsert, 3, revision)
        unsafe bind(metadata, 4, upsert)
        unsafe bind(payload, 5, upsert)
        try unsafe run(upsert)
        try unsafe run(commit)
    }

    private func run(_ statement: OpaquePointer) throws {
        guard unsafe sqlite3_step(statement) == SQLITE_DONE, unsafe sqlite3_reset(statement) == SQLITE_OK else {
            throw BenchmarkError("A statement failed.")
        }
    }

    private func bind(_ bytes: [UInt8], _ index: Int32, _ statement: OpaquePointer) {
        unsafe bytes.withUnsafeBytes { bytes in
            _ = unsafe ak_sqlite3_bind_blob_copied(statement, index, bytes.baseAddress, UInt64(bytes.count))
        }
    }
}
