internal import AuthKitCore

/// Makes libsecret's calls, which block, on a thread of their own.
actor SecretService {
    private nonisolated let executor = BlockingExecutor(label: "SecretService")
    private let call: SecretCall

    init(_ call: SecretCall) {
        self.call = call
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Draws a key and keeps it as an item; throws `key_unavailable` when the keyring stays locked.
    func makeKey(as name: String) throws {
        let text = EncodedKey.write(try SecretBytes.random(count: 32))
        guard try call.store(text, as: name, label: "AuthKit: key of a store") else { throw Self.locked }
    }

    /// Reads an item; throws `key_unavailable` when there is none, or when the keyring stays locked.
    func key(_ name: String) throws -> KeptKey {
        guard let text = try call.lookUp(name) else { throw Self.locked }
        return KeptKey(try EncodedKey.read(text, from: "the keyring's item"))
    }

    private static var locked: VaultError {
        VaultError(
            .keyUnavailable,
            "The keyring is locked, or has no key of this store; unlock it, or name another key source."
        )
    }
}

/// A key on its way between threads.
final class KeptKey: Sendable {
    /// The key.
    let key: SecretBytes

    init(_ key: consuming SecretBytes) {
        self.key = key
    }
}
