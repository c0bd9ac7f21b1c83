internal import AuthKitCore
internal import CSQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A result code of SQLite that was not the expected one, and what it left behind.
struct SQLiteFailure: Error, Sendable {
    /// The extended result code.
    let code: Int32
    /// The error number of the system call below, zero where there was none.
    let systemError: Int32
    /// What was being done, for the message.
    let operation: String
    /// The one record that it is about, while the database is sound.
    var record: RecordKey?

    /// A row that no version of ours has written.
    static func unreadable(_ record: RecordKey) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, systemError: 0, operation: "read a record", record: record)
    }

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the disk, a quota or a limit on file sizes stopped a write.
    var isFull: Bool {
        if primaryCode == SQLITE_FULL { return true }
        guard primaryCode == SQLITE_IOERR else { return false }
        // SQLITE_IOERR_SHMSIZE (rescode.html): the shared memory file could not grow; it keeps no error number.
        return [ENOSPC, EDQUOT, EFBIG].contains(systemError) || code == SQLITE_IOERR | (19 << 8)
    }

    /// The failure as callers see it: one sentence that says what to do next.
    func storeError(path: String) -> StoreError {
        if let record {
            return StoreError(.corrupt, Self.sentence(path: path, record: record), cause: self)
        }
        let reference = "SQLite \(code) while it tried to \(operation)"
        return StoreError(storeCode, "\(sentence(path: path)) (\(reference))", cause: self)
    }

    private var storeCode: StoreError.Code {
        if isFull { return .full }
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: return .corrupt
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .cannotCreate
        default: return .inputOutput
        }
    }

    private static func sentence(path: String, record: RecordKey) -> String {
        guard record != .header else {
            return "The store's header in \(path) is damaged, without which nothing in it opens; "
                + "put the file back from a copy, or move it away to begin a new store."
        }
        return "The record \(record) in \(path) is damaged or no record; sign in again to replace what it held."
    }

    private func sentence(path: String) -> String {
        switch storeCode {
        case .full: "There is no room for \(path); free some space and try again."
        case .busy: "Another process is writing to \(path); try again when it has finished."
        case .corrupt where primaryCode == SQLITE_NOTADB:
            "\(path) is not a store; choose another file, or move it away to begin a new one."
        case .corrupt: "\(path) is damaged; move it away and sign in again, or put back a copy of it."
        case .cannotCreate: "\(path) cannot be opened for writing; choose another directory, or memory:."
        default: "Reading or writing \(path) failed; look at the disk and try again."
        }
    }
}
