/// A key that signs or decrypts: a JSON Web Key (RFC 7517) with its private members, or a symmetric one.
///
/// No text of it shows them; only `privateMembers()` and `privatePEM()` do, by name.
public struct PrivateJWK: Sendable {
    enum Material {
        case pair(EVPKey)
        case symmetric(SymmetricKey)
    }

    /// What others may use: checks what this key signs, encrypts what it decrypts.
    public let publicKey: JWK
    /// The `key_ops` as written.
    public let operations: [String]?
    private let material: Material

    /// Reads a private key from JSON text; `malformed` when it is not a usable one.
    public init(parsing bytes: [UInt8]) throws(JWTError) {
        try self.init(JWK.object(bytes))
    }

    /// Reads a private key from its members; `malformed` when it is not a usable one.
    ///
    /// An RSA key has `d` alone or all of RFC 7518 §6.3.2 for two primes. The private half must belong to the public
    /// one.
    public init(_ members: JSONObject) throws(JWTError) {
        operations = try members.keyTexts("key_ops")
        var publicMembers = members
        publicMembers["key_ops"] = operations.map { JSONValue.strings(Self.publicOperations($0)) }
        publicKey = try JWK(publicMembers)
        do {
            material = try Self.build(members, publicKey)
        } catch let error as JWTError {
            throw error
        } catch {
            throw JWTError(.malformed, "The private key's numbers do not make a key.", cause: error)
        }
    }

    init(publicKey: JWK, operations: [String]? = nil, material: Material) {
        self.publicKey = publicKey
        self.operations = operations
        self.material = material
    }

    /// The `kid`.
    public var keyID: String? { publicKey.keyID }
    /// The `alg` as written; it may name one that we do not have.
    public var algorithmName: String? { publicKey.algorithmName }
    /// The `use`.
    public var use: String? { publicKey.use }
    /// Whether the key is symmetric.
    public var isSymmetric: Bool { publicKey.isSymmetric }

    /// The pair in libcrypto's hands; nil for a symmetric key.
    var evp: EVPKey? {
        guard case .pair(let key) = material else { return nil }
        return key
    }

    /// The bytes of a symmetric key; nil for others.
    var octets: SymmetricKey? {
        guard case .symmetric(let key) = material else { return nil }
        return key
    }

    /// Whether the key is meant for signing with an algorithm: type, curve, `alg`, `use`, `key_ops`.
    public func maySign(with algorithm: JWSAlgorithm) -> Bool {
        if let operations, !operations.contains("sign") { return false }
        // What the public half may check is what this half may sign; the operations are those of this half.
        return publicKey.ignoringOperations.fits(algorithm)
    }

    /// RFC 7517 §4.3: what the other half does.
    private static func publicOperations(_ operations: [String]) -> [String] {
        let pairs = ["sign": "verify", "decrypt": "encrypt", "unwrapKey": "wrapKey"]
        var result: [String] = []
        for operation in operations.map({ pairs[$0] ?? $0 }) where !result.contains(operation) {
            result.append(operation)
        }
        return result
    }
}

extension PrivateJWK: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the key without its private members.
    public var description: String { "PrivateJWK(\(publicKey.required["kty"]?.string ?? ""), <redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
