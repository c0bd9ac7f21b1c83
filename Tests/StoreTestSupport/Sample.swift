package import AuthKitCore

/// Records for tests.
package enum Sample {
    /// A record with something in every column; its key repeats the number.
    package static func record(
        number: UInt8 = 1,
        revision: Int64,
        payload: [UInt8] = [1, 2, 3],
        reserve: Int = 0
    ) throws -> SealedRecord {
        guard let key = RecordKey(bytes: [UInt8](repeating: number, count: 32)),
            let incarnation = Incarnation(bytes: [UInt8](repeating: 7, count: 16))
        else { throw StoreError(.corrupt, "32 bytes make a key, and 16 an incarnation.") }
        return SealedRecord(
            key: key,
            version: RecordVersion(incarnation: incarnation, revision: revision),
            keyID: [UInt8](0..<16),
            issuerHash: [UInt8](0..<32),
            due: WallTime(seconds: 1_800_000_000),
            metadata: [4, 5],
            payload: payload,
            reserve: reserve
        )
    }

    /// Bytes in which a misplaced block is seen.
    package static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }
}

/// The code of the `StoreError` that an operation throws.
package func code(_ operation: () async throws -> Void) async -> StoreError.Code? {
    await storeError(operation)?.code
}

/// The `StoreError` that an operation throws.
package func storeError(_ operation: () async throws -> Void) async -> StoreError? {
    do {
        try await operation()
        return nil
    } catch {
        return error as? StoreError
    }
}
