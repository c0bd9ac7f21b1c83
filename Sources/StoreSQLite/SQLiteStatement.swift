internal import CSQLite

/// One prepared statement; finalised with its connection.
///
/// Confined to the connection's actor, as the connection is.
@safe
final class SQLiteStatement {
    private let pointer: OpaquePointer
    private let database: OpaquePointer
    private let operation: String

    /// Takes over a prepared statement.
    init(owning pointer: OpaquePointer, of database: OpaquePointer, operation: String) {
        unsafe self.pointer = pointer
        unsafe self.database = database
        self.operation = operation
    }

    deinit {
        // The result repeats the failure of the last step, which was reported there.
        _ = unsafe sqlite3_finalize(pointer)
    }

    /// Binds values from the first parameter on.
    func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
        var index: Int32 = 0
        for value in values {
            index += 1
            let code =
                switch value {
                case .null: unsafe sqlite3_bind_null(pointer, index)
                case .integer(let integer): unsafe sqlite3_bind_int64(pointer, index, integer)
                // A null pointer would bind NULL; an empty blob is another value.
                case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(pointer, index, 0)
                case .blob(let bytes):
                    unsafe bytes.withUnsafeBytes { bytes in
                        unsafe ak_sqlite3_bind_blob_copied(pointer, index, bytes.baseAddress, UInt64(bytes.count))
                    }
                }
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    /// Goes to the next row; false when there is none.
    func step() throws(SQLiteFailure) -> Bool {
        let code = unsafe sqlite3_step(pointer)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(code)
        }
    }

    /// Makes it ready for the next run and forgets what was bound.
    func reset() {
        // Both repeat the failure of the last step, which was reported there.
        _ = unsafe sqlite3_reset(pointer)
        _ = unsafe sqlite3_clear_bindings(pointer)
    }

    /// The integer in a column of the current row; nil when it holds something else.
    func integer(_ column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(pointer, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(pointer, column)
    }

    /// The text in a column of the current row; nil when it holds something else.
    func text(_ column: Int32) -> String? {
        guard unsafe sqlite3_column_type(pointer, column) == SQLITE_TEXT,
            let bytes = unsafe sqlite3_column_text(pointer, column)
        else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(pointer, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// A copy of the bytes in a column of the current row; nil when it holds something else.
    func blob(_ column: Int32) throws(SQLiteFailure) -> [UInt8]? {
        guard unsafe sqlite3_column_type(pointer, column) == SQLITE_BLOB else { return nil }
        // The pointer first, then the length: sqlite3_column_blob(3) asks for this order.
        let bytes = unsafe sqlite3_column_blob(pointer, column)
        let count = Int(unsafe sqlite3_column_bytes(pointer, column))
        guard count > 0 else { return [] }
        guard let bytes = unsafe bytes else { throw failure(SQLITE_NOMEM) }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        SQLiteFailure(code: code, systemError: unsafe ak_sqlite3_system_errno(database), operation: operation)
    }
}
