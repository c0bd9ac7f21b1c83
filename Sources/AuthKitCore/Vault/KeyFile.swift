/// A key file: 32 random bytes in base64url, 0600, not beside the store.
public struct KeyFile: KeySource {
    /// The largest file that is read.
    private static let limit = 256

    private let path: String
    private let insecureLooseModes: Bool

    /// Names the file.
    ///
    /// `insecureLooseModes` accepts one that others can read, for mounts that know no modes.
    public init(path: String, insecureLooseModes: Bool = false) {
        self.path = path
        self.insecureLooseModes = insecureLooseModes
    }

    /// `keyfile`.
    public var kind: String { "keyfile" }

    /// Makes the file when there is none; writes 44 bytes to it, synced, whole or not at all.
    public func makeParameters() async throws -> [String: String] {
        guard try SecretFile.key(path, limit: Self.limit, insecureLooseModes: insecureLooseModes) == nil else {
            return [:]
        }
        let text = EncodedKey.write(try SecretBytes.random(count: 32))
        // False means that another process made it meanwhile: its key is the one to use.
        _ = try SecretFile.create(path, contents: text, insecureLooseModes: insecureLooseModes)
        return [:]
    }

    /// Reads the file.
    public func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        guard let text = try SecretFile.key(path, limit: Self.limit, insecureLooseModes: insecureLooseModes) else {
            throw VaultError(
                .keyUnavailable,
                "The key file \(path) is missing; put it back, or name another with --key-source keyfile:PATH."
            )
        }
        return try EncodedKey.read(text, from: "the key file \(path)")
    }
}
