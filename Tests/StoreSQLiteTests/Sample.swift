import AuthKitCore
import CSQLite
import Testing

/// Records for tests.
enum Sample {
    static func record(
        number: UInt8 = 1,
        revision: Int64,
        payload: [UInt8] = [1, 2, 3],
        reserve: Int = 0
    ) throws -> SealedRecord {
        SealedRecord(
            key: try #require(RecordKey(bytes: [UInt8](repeating: number, count: 32))),
            version: RecordVersion(
                incarnation: try #require(Incarnation(bytes: [UInt8](repeating: 7, count: 16))),
                revision: revision
            ),
            keyID: [UInt8](0..<16),
            issuerHash: [UInt8](0..<32),
            due: WallTime(seconds: 1_800_000_000),
            metadata: [4, 5],
            payload: payload,
            reserve: reserve
        )
    }
}

/// The code of the `StoreError` that an operation throws.
func code(_ operation: () async throws -> Void) async -> StoreError.Code? {
    await storeError(operation)?.code
}

/// The `StoreError` that an operation throws.
func storeError(_ operation: () async throws -> Void) async -> StoreError? {
    do {
        try await operation()
        return nil
    } catch {
        return error as? StoreError
    }
}

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
}
