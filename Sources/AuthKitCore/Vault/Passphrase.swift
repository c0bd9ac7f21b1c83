/// A passphrase, stretched by scrypt (RFC 7914): N = 2^17, r = 8, p = 1 for new stores, 128 MiB of memory.
public struct Passphrase: KeySource {
    private let provide: @Sendable () async throws -> SecretBytes
    private let cost: UInt64

    /// Says where the passphrase comes from: a prompt of the application, a file.
    public init(_ provide: @escaping @Sendable () async throws -> SecretBytes) {
        self.init(insecureCost: 1 << 17, provide)
    }

    /// Takes a cost of the caller's, for tests that make many stores.
    package init(insecureCost: UInt64, _ provide: @escaping @Sendable () async throws -> SecretBytes) {
        self.provide = provide
        cost = insecureCost
    }

    /// `passphrase`.
    public var kind: String { "passphrase" }

    /// Draws a salt; nothing is made.
    public func makeParameters() async throws -> [String: String] {
        ["kdf": "scrypt", "salt": Base64URL.encode(try Random.bytes(16)), "n": String(cost), "r": "8", "p": "1"]
    }

    /// Asks for the passphrase and stretches it; a second's work by intent.
    public func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        guard parameters["kdf"] == "scrypt", let salt = parameters["salt"].flatMap({ try? Base64URL.decode($0) }),
            let n = parameters["n"].flatMap(UInt64.init), let r = parameters["r"].flatMap(UInt32.init),
            let p = parameters["p"].flatMap(UInt32.init)
        else { throw Self.unknownParameters }
        let cost = ScryptCost(n: n, r: r, p: p)
        guard cost.isAcceptable else { throw Self.unknownParameters }
        let passphrase = try await provide()
        guard passphrase.count > 0 else {
            throw VaultError(.keyUnavailable, "The passphrase is empty; give the one that the store was made with.")
        }
        return try cost.key(from: passphrase, salt: salt)
    }

    private static var unknownParameters: VaultError {
        VaultError(.tampered, "The store's passphrase parameters are not ones that we write; restore the store.")
    }
}
