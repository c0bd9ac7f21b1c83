internal import AuthKitCore

/// Reads a service account's key from its file, each time that it is used, so that a new key counts at once.
struct APIKeyFile: Sendable, Hashable {
    private static let sizeLimit = 16_384

    let path: String
    let insecureFileModes: Bool

    /// The key; throws `api_key_unusable` naming the file, never what is in it.
    func key() throws(NianticError) -> Secret {
        try SecretText.read(path, limit: Self.sizeLimit, insecureFileModes: insecureFileModes) { detail in
            NianticError(
                .apiKeyUnusable,
                "The service account's key cannot be read: \(detail)",
                remedy: .fixConfiguration
            )
        }
    }
}
