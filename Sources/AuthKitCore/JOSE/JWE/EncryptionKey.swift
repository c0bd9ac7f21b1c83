/// A key as encryption and decryption see it.
struct EncryptionKey {
    /// Which way the key is to be used.
    enum Direction {
        case encrypting
        case decrypting
    }

    let keyID: String?
    let kind: KeyKind
    let bits: Int
    let evp: EVPKey?
    let symmetric: SymmetricKey?
    private let algorithmName: String?
    private let use: String?
    private let operations: [String]?

    /// Takes a key to encrypt for.
    init(_ key: JWK) {
        self.init(key, operations: key.operations, evp: key.key.evp, symmetric: key.key.symmetric)
    }

    /// Takes a key to decrypt with, or a symmetric one for both.
    init(_ key: PrivateJWK) {
        self.init(key.publicKey, operations: key.operations, evp: key.evp, symmetric: key.octets)
    }

    private init(_ key: JWK, operations: [String]?, evp: EVPKey?, symmetric: SymmetricKey?) {
        keyID = key.keyID
        kind = key.key.kind
        bits = key.bits
        self.evp = evp
        self.symmetric = symmetric
        algorithmName = key.algorithmName
        use = key.use
        self.operations = operations
    }

    /// RFC 7518 §4.3: RSA needs 2048 bits.
    var isWeak: Bool { kind == .rsa && bits < 2048 }

    /// Whether the key is meant for it: type, curve, length, `alg`, `use`, `key_ops`.
    func fits(_ algorithm: JWEAlgorithm, _ encryption: ContentEncryption, _ direction: Direction) -> Bool {
        // RFC 7517 §4.2 to §4.4: each of these, where present, limits what the key is for.
        if let use, use != "enc" { return false }
        if let operations {
            let accepted = Self.operations(for: algorithm, direction)
            guard operations.contains(where: accepted.contains) else { return false }
        }
        switch algorithm.management {
        case .rsa:
            return kind == .rsa && isFor(algorithm.name)
        case .agreement:
            return kind.isForAgreement && isFor(algorithm.name)
        case .wrap(let wrap):
            return symmetric?.count == wrap.keySize.byteCount && isFor(algorithm.name)
        case .direct:
            // A shared key for the content is used by the algorithm of the content (RFC 7520 §5.6).
            return symmetric?.count == encryption.keyCount && (isFor(algorithm.name) || isFor(encryption.name))
        }
    }

    private func isFor(_ name: String) -> Bool { algorithmName == nil || algorithmName == name }

    private static func operations(for algorithm: JWEAlgorithm, _ direction: Direction) -> [String] {
        switch (algorithm.management, direction) {
        case (.rsa, .encrypting): ["wrapKey", "encrypt"]
        case (.rsa, .decrypting): ["unwrapKey", "decrypt"]
        case (.agreement, _): ["deriveKey", "deriveBits"]
        case (.wrap, .encrypting): ["wrapKey"]
        case (.wrap, .decrypting): ["unwrapKey"]
        case (.direct, .encrypting): ["encrypt"]
        case (.direct, .decrypting): ["decrypt"]
        }
    }
}
