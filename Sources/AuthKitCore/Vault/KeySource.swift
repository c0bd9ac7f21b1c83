/// Gives the key that wraps a store's data keys.
///
/// The parameters (salt, cost, a path) are stored beside the wrapped key and bound to it; libraries never prompt: a
/// source that needs a person is given a closure by the application.
public protocol KeySource: Sendable {
    /// The kind as written in the store's header: `keyfile`, `passphrase`, `env`.
    var kind: String { get }

    /// Draws the parameters for a new store, and makes what must exist for it (the key file).
    func makeParameters() async throws -> [String: String]

    /// Gives the 32-byte wrapping key for parameters made earlier.
    ///
    /// Throws `VaultError.Code.keyUnavailable` when it cannot be had. A wrong key is noticed by the vault.
    func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes
}
