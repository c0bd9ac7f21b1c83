/// 32 bytes as base64url text: how keys come from files, the environment and commands.
enum EncodedKey {
    /// Reads a key; one line end behind it is allowed.
    static func read(_ text: String, from origin: String) throws -> SecretBytes {
        guard var bytes = try? Base64URL.decode(text.trimmingSpaces()), bytes.count == 32 else {
            throw VaultError(.keyUnavailable, "What \(origin) holds is not a key: 32 bytes in base64url are needed.")
        }
        return SecretBytes(wiping: &bytes)
    }
}
