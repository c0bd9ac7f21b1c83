import CSQLite
import Testing

/// A connection of somebody else.
@safe
final class RawDatabase {
    private let database: OpaquePointer

    init(path: String) throws {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open(path, &handle)
        unsafe database = try #require(unsafe handle)
        try #require(code == SQLITE_OK)
    }

    deinit { unsafe sqlite3_close(database) }

    func execute(_ sql: String) throws {
        try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
    }

    /// The text in the first row of a statement's result.
    func text(_ sql: String) throws -> String? {
        var statement: OpaquePointer?
        try #require(unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { unsafe sqlite3_finalize(statement) }
        guard unsafe sqlite3_step(statement) == SQLITE_ROW, let text = unsafe sqlite3_column_text(statement, 0) else {
            return nil
        }
        return unsafe String(cString: text)
    }
}
