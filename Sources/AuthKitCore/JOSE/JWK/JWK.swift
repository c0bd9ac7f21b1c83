/// A key that checks signatures or encrypts, as a JSON Web Key (RFC 7517).
///
/// RSA, EC (P-256, P-384, P-521, secp256k1) and octet key pairs (Ed25519, Ed448, X25519) by their public half, and
/// symmetric keys (`oct`) whose bytes it never shows. The key is built once, when the JWK is read.
public struct JWK: Sendable {
    /// The `kid`.
    public let keyID: String?
    /// The `alg` as written; it may name one that we do not have.
    public let algorithmName: String?
    /// The `use`.
    public let use: String?
    /// The `key_ops`.
    public let operations: [String]?
    /// What makes the key: `kty` and the public members that its type requires (RFC 7638 §3.2).
    public let required: JSONObject
    /// The key itself.
    package let key: VerificationKey
    /// The `kid` as bytes, for comparing.
    let keyIDBytes: [UInt8]?
    private let algorithm: JWSAlgorithm?

    /// Reads a key from JSON text; `malformed` when it is not a usable one.
    public init(parsing bytes: [UInt8]) throws(JWTError) {
        try self.init(Self.object(bytes))
    }

    /// Reads a key from its members; `malformed` when it is not a usable one.
    ///
    /// Coordinates must have full length and be on their curve, RSA numbers be those of a possible key. Private
    /// members are passed over. Keys that are too short are read, so that their use can be refused by name.
    public init(_ members: JSONObject) throws(JWTError) {
        keyID = try members.keyText("kid")
        algorithmName = try members.keyText("alg")
        use = try members.keyText("use")
        operations = try members.keyTexts("key_ops")
        keyIDBytes = keyID.map { Array($0.utf8) }
        algorithm = algorithmName.flatMap { JWSAlgorithm(name: $0) }
        do {
            (key, required) = try Self.build(members)
        } catch let error as JWTError {
            throw error
        } catch {
            throw JWTError(.malformed, "The key's numbers are not those of a usable key.", cause: error)
        }
    }

    static func object(_ bytes: [UInt8]) throws(JWTError) -> JSONObject {
        let object: JSONObject?
        do {
            object = try JSONValue(parsing: bytes).object
        } catch {
            throw JWTError(.malformed, "The key cannot be read.", cause: error)
        }
        guard let object else { throw JWTError(.malformed, "A JWK is a JSON object.") }
        return object
    }

    /// Whether the key is symmetric: who checks with it can also sign.
    public var isSymmetric: Bool { key.kind == .symmetric }

    /// Whether no algorithm may use it: RSA below 2048 bits (RFC 7518 §3.3).
    public var isWeak: Bool { key.kind == .rsa && key.bits < 2048 }

    /// The size in bits: of the modulus, of the curve's group, of the symmetric bytes.
    public var bits: Int { key.bits }

    /// The SHA-256 thumbprint in base64url (RFC 7638); that of a symmetric key tells whoever can guess the key.
    public var thumbprint: String {
        // RFC 7638 §3.3: the required members in lexicographic order, without spaces.
        var ordered = JSONObject()
        let material = material
        for name in material.names.sorted() { ordered[name] = material[name] }
        return Base64URL.encode(SHA256.digest(ordered.serialized()))
    }

    /// The key as JSON: public members only, and nothing of a symmetric key's bytes.
    public var members: JSONObject { described(required) }

    /// The members that make the key, a symmetric one's bytes with them.
    var material: JSONObject {
        guard let symmetric = key.symmetric else { return required }
        var members = required
        members["k"] = .string(symmetric.base64URL)
        return members
    }

    /// Puts what describes the key before what makes it.
    func described(_ material: JSONObject) -> JSONObject {
        var members = JSONObject()
        members["kid"] = keyID.map(JSONValue.string)
        members["use"] = use.map(JSONValue.string)
        members["key_ops"] = operations.map(JSONValue.strings)
        members["alg"] = algorithmName.map(JSONValue.string)
        for member in material.members { members[member.name] = member.value }
        return members
    }

    /// The same key, its `key_ops` left out.
    var ignoringOperations: JWK { JWK(copying: self, operations: nil) }

    private init(copying other: JWK, operations: [String]?) {
        keyID = other.keyID
        algorithmName = other.algorithmName
        use = other.use
        self.operations = operations
        required = other.required
        key = other.key
        keyIDBytes = other.keyIDBytes
        algorithm = other.algorithm
    }

    /// Whether the key is meant for checking signatures of an algorithm: type, curve, `alg`, `use`, `key_ops`.
    public func fits(_ algorithm: JWSAlgorithm) -> Bool {
        guard algorithm.scheme.fits(key.kind) else { return false }
        // RFC 7517 §4.2 to §4.4: each of these, where present, limits what the key is for.
        if algorithmName != nil {
            guard let own = self.algorithm, own.scheme.fits(key.kind), algorithm.isNamed(by: own) else { return false }
        }
        if let use, use != "sig" { return false }
        if let operations, !operations.contains("verify") { return false }
        return true
    }
}
