#if Postgres
import AuthKitCore
import PostgresTestServer
import StorePostgres
import Synchronization
import Testing

/// Stores for tests, each over a schema of its own in the shared server.
enum StoreBench {
    private static let count = Atomic(0)

    /// The address of a new, empty schema.
    static func freshAddress(at server: String? = nil) async throws -> String {
        let server = if let server { server } else { try await PrivateServer.shared.value.address }
        let name = "t\(count.add(1, ordering: .relaxed).newValue)"
        try await execute("CREATE SCHEMA \(name)", at: server)
        return "\(server)?options=-csearch_path%3D\(name)"
    }

    /// A new, empty store.
    static func freshStore(_ adjust: (inout PostgresStore.Options) -> Void = { _ in }) async throws -> PostgresStore {
        try await open(freshAddress(), adjust)
    }

    /// Opens the store at an address.
    static func open(
        _ address: String,
        _ adjust: (inout PostgresStore.Options) -> Void = { _ in }
    ) async throws -> PostgresStore {
        var options = PostgresStore.Options()
        options.connectionLimit = 4
        adjust(&options)
        return try await PostgresStore.open(address, options: options)
    }

    /// A record for tests.
    static func record(
        number: UInt8 = 1,
        revision: Int64 = 1,
        due: WallTime? = nil,
        payload: [UInt8] = [1, 2, 3]
    ) throws -> SealedRecord {
        SealedRecord(
            key: try #require(RecordKey(bytes: [UInt8](repeating: number, count: 32))),
            version: RecordVersion(
                incarnation: try #require(Incarnation(bytes: [UInt8](repeating: 7, count: 16))),
                revision: revision
            ),
            keyID: [UInt8](0..<16),
            issuerHash: [UInt8](0..<32),
            due: due,
            metadata: [4, 5],
            payload: payload
        )
    }
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

/// The code of the `StoreError` that an operation throws.
func code(_ operation: () async throws -> Void) async -> StoreError.Code? {
    await storeError(operation)?.code
}
#endif
