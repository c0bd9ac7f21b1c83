/// The key that wraps data keys, as a source gave it for parameters; wiped when the last user lets go.
///
/// Kept while a vault is open, so that a data key that came meanwhile can be unwrapped without asking a person again.
final class WrappingKey: Sendable {
    private static let nonceCount = AESGCM.nonceCount

    private let kind: String
    private let parameters: [String: String]
    private let secret: SecretBytes

    private init(kind: String, parameters: [String: String], secret: consuming SecretBytes) {
        self.kind = kind
        self.parameters = parameters
        self.secret = secret
    }

    /// Asks a source for the key of a header; throws `other_key_source` when the header was made with another kind.
    static func make(for header: VaultHeader, from source: any KeySource) async throws -> WrappingKey {
        guard header.sourceKind == source.kind else {
            throw VaultError(
                .otherKeySource,
                "The store's key is of the kind \(header.sourceKind), not \(source.kind); name it with --key-source."
            )
        }
        let given = try await source.wrappingKey(for: header.parameters)
        let secret = try HKDF.derive(
            from: given,
            salt: header.storeID,
            info: Array("authkit/wrapping/1".utf8),
            count: 32
        )
        return WrappingKey(kind: header.sourceKind, parameters: header.parameters, secret: secret)
    }

    /// Whether a header names the kind and parameters that this key was given for.
    ///
    /// That its keys were wrapped by this very key is known only when one opens: two variables or two commands are alike
    /// in both.
    func fits(_ header: VaultHeader) -> Bool { kind == header.sourceKind && parameters == header.parameters }

    /// Wraps a data key for a header whose other parts are final.
    func wrap(_ key: borrowing SecretBytes, as id: [UInt8], in header: VaultHeader) throws -> VaultHeader.WrappedKey {
        let nonce = try Random.bytes(Self.nonceCount)
        var bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        defer { ConstantTime.wipe(&bytes) }
        let sealed = try AESGCM(.aes256).seal(
            bytes,
            key: secret,
            nonce: nonce,
            authenticating: header.wrappingContext(for: id)
        )
        return VaultHeader.WrappedKey(id: id, wrapped: nonce + sealed)
    }

    /// Unwraps one of a header's data keys; throws `wrong_key` when it does not open.
    func unwrap(_ id: [UInt8], of header: VaultHeader) throws -> SecretBytes {
        guard let wrapped = header.keys.first(where: { $0.id == id })?.wrapped,
            wrapped.count > Self.nonceCount + AESGCM.tagCount
        else {
            throw VaultError(.tampered, "The store's header names a key that it does not hold; restore the store.")
        }
        var bytes: [UInt8]
        do {
            bytes = try AESGCM(.aes256).open(
                Array(wrapped.dropFirst(Self.nonceCount)),
                key: secret,
                nonce: Array(wrapped.prefix(Self.nonceCount)),
                authenticating: header.wrappingContext(for: id)
            )
        } catch {
            throw VaultError(
                .wrongKey,
                "The \(kind) key does not open this store; give the key or passphrase it was made with."
            )
        }
        guard bytes.count == DataKey.wrappedCount else {
            throw VaultError(.tampered, "The store's key has a wrong size; restore the store from a copy.")
        }
        return SecretBytes(wiping: &bytes)
    }
}
