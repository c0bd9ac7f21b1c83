extension Vault {
    /// The kind of key source that a store's header names, for an error that says it; nil where there is no header.
    ///
    /// No key is asked for. What a header says that nobody has opened is for people, not to be relied on.
    package static func sourceKind(of store: any TokenStore) async throws -> String? {
        guard let record = try await store.load(.header) else { return nil }
        return try VaultHeader(record).sourceKind
    }
}
