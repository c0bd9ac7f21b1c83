/// A key from an environment variable: 32 bytes in base64url.
public struct EnvironmentKey: KeySource {
    private let name: String
    private let lookUp: @Sendable (String) -> String?

    /// Names the variable and says how variables are read.
    public init(name: String, lookUp: @escaping @Sendable (String) -> String?) {
        self.name = name
        self.lookUp = lookUp
    }

    /// `env`.
    public var kind: String { "env" }

    /// Checks that the variable holds a key; nothing is made.
    public func makeParameters() async throws -> [String: String] {
        let key = try await wrappingKey(for: [:])
        precondition(key.count == 32, "a key that was read has 32 bytes")
        return [:]
    }

    /// Reads the variable.
    public func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        guard let text = lookUp(name), !text.isEmpty else {
            throw VaultError(.keyUnavailable, "The variable \(name) is not set; put the store's key into it.")
        }
        // What cannot be wiped: the environment itself, and the text that was looked up in it.
        var bytes = Array(text.utf8)
        return try EncodedKey.read(wiping: &bytes, from: "the variable \(name)")
    }
}
