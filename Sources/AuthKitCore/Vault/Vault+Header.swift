extension Vault {
    /// Draws a store id and a data key, wraps it, and saves the header if there is none yet.
    static func makeHeader(in store: any TokenStore, keySource: any KeySource) async throws {
        var header = VaultHeader(
            storeID: try Random.bytes(16),
            sourceKind: keySource.kind,
            parameters: try await keySource.makeParameters(),
            keys: [],
            current: try Random.bytes(16)
        )
        let dataKey = try SecretBytes.random(count: DataKey.wrappedCount)
        let wrapping = try await wrappingKey(of: header, from: keySource)
        let nonce = try Random.bytes(12)
        var bytes = unsafe dataKey.withUnsafeBytes { unsafe Array($0) }
        defer { _ = SecretBytes(wiping: &bytes) }  // The copy that was sealed is wiped here.
        let sealed = try AESGCM(.aes256).seal(
            bytes,
            key: wrapping,
            nonce: nonce,
            authenticating: header.wrappingContext(for: header.current)
        )
        header.keys = [VaultHeader.WrappedKey(id: header.current, wrapped: nonce + sealed)]
        guard let incarnation = Incarnation(bytes: header.storeID) else {
            preconditionFailure("a store id has the 16 bytes of an incarnation")
        }
        let record = SealedRecord(
            key: .header,
            version: RecordVersion(incarnation: incarnation, revision: 1),
            keyID: header.current,
            issuerHash: [UInt8](repeating: 0, count: 32),
            due: nil,
            metadata: header.serialized(),
            payload: []
        )
        try await store.save(record, replacing: nil, under: nil)
    }

    /// Unwraps the current data key; a key source that is not the store's, or has another key, is told by name.
    static func unwrap(_ header: VaultHeader, with keySource: any KeySource) async throws -> DataKey {
        guard header.sourceKind == keySource.kind else {
            throw VaultError(
                .otherKeySource,
                "The store's key is of the kind \(header.sourceKind), not \(keySource.kind); name it with --key-source."
            )
        }
        guard let wrapped = header.keys.first(where: { $0.id == header.current }), wrapped.wrapped.count > 28 else {
            throw VaultError(.tampered, "The store's header names a key that it does not hold; restore the store.")
        }
        let wrapping = try await wrappingKey(of: header, from: keySource)
        var bytes: [UInt8]
        do {
            bytes = try AESGCM(.aes256).open(
                Array(wrapped.wrapped.dropFirst(12)),
                key: wrapping,
                nonce: Array(wrapped.wrapped.prefix(12)),
                authenticating: header.wrappingContext(for: wrapped.id)
            )
        } catch {
            throw VaultError(
                .wrongKey,
                "The \(keySource.kind) key does not open this store; give the key or passphrase it was made with."
            )
        }
        guard bytes.count == DataKey.wrappedCount else {
            throw VaultError(.tampered, "The store's key has a wrong size; restore the store from a copy.")
        }
        return try DataKey(id: wrapped.id, storeID: header.storeID, unwrapped: SecretBytes(wiping: &bytes))
    }

    private static func wrappingKey(of header: VaultHeader, from keySource: any KeySource) async throws -> SecretBytes {
        let secret = try await keySource.wrappingKey(for: header.parameters)
        return try HKDF.derive(from: secret, salt: header.storeID, info: Array("authkit/wrapping/1".utf8), count: 32)
    }
}
