#if Postgres
import AuthKitCore
import StorePostgres

/// A store that only collects: a vault seals a hundred thousand credentials into it, and they are copied from it at once.
actor SealedBatch: TokenStore {
    private let leases = InMemoryStore()
    private var records: [RecordKey: SealedRecord] = [:]

    func load(_ key: RecordKey) async throws -> SealedRecord? { records[key] }

    func save(_ record: SealedRecord, replacing: RecordVersion?, under lease: (any StoreLease)?) async throws {
        records[record.key] = record
    }

    func purge(_ key: RecordKey, expecting: RecordVersion) async throws { records[key] = nil }

    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] { [] }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await leases.lease(key, for: purpose, waiting: waiting)
    }

    func probe() async throws {}

    /// Fills an empty database with credentials that are all due, and gives the vault's key.
    static func fill(_ address: String, with count: Int) async throws -> String {
        let key = Base64URL.encode(try Random.bytes(32))
        let batch = SealedBatch()
        let vault = try await Vault.open(batch, keySource: EnvironmentKey(name: "key") { _ in key })
        let now = SystemTime().now
        for number in 0..<count {
            _ = try await vault.save(try ProofCredential.make(number, at: now), replacing: nil, due: now.wall)
        }
        let records = await Array(batch.records.values)
        var options = PostgresStore.Options()
        options.connectionLimit = 32
        let store = try await PostgresStore.open(address, options: options)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<64 {
                group.addTask {
                    for index in stride(from: part, to: records.count, by: 64) {
                        try await store.save(records[index], replacing: nil, under: nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        await store.close()
        return key
    }
}
#endif
