/// A key that checks signatures or encrypts, as a JSON Web Key (RFC 7517).
///
/// RSA, EC (P-256, P-384, P-521, secp256k1) and octet key pairs (Ed25519, Ed448, X25519) by their public half, and
/// symmetric keys (`oct`) whose bytes it never shows. The key is built once, when the JWK is read.
public struct JWK: Sendable {
    /// What a JWK has, in one place, so that a copy is one reference more.
    private final class Contents: Sendable {
        let keyID: String?
        let keyIDBytes: [UInt8]?
        let algorithmName: String?
        let algorithm: JWSAlgorithm?
        let use: String?
        let operations: [String]?
        let required: JSONObject
        let key: VerificationKey
        /// Whether `use` and `key_ops` allow that it checks signatures (RFC 7517 §4.2, §4.3).
        let mayVerify: Bool

        init(_ description: Description, _ required: JSONObject, _ key: VerificationKey) {
            keyID = description.keyID
            keyIDBytes = description.keyID.map { Array($0.utf8) }
            algorithmName = description.algorithmName
            algorithm = description.algorithmName.flatMap { JWSAlgorithm(name: $0) }
            use = description.use
            operations = description.operations
            self.required = required
            self.key = key
            mayVerify = description.use ?? "sig" == "sig" && description.operations?.contains("verify") != false
        }
    }

    /// The members that say what a key is for.
    private struct Description {
        var keyID: String?
        var algorithmName: String?
        var use: String?
        var operations: [String]?
    }

    private let contents: Contents

    /// The `kid`.
    public var keyID: String? { contents.keyID }
    /// The `alg` as written; it may name one that we do not have.
    public var algorithmName: String? { contents.algorithmName }
    /// The `use`.
    public var use: String? { contents.use }
    /// The `key_ops`.
    public var operations: [String]? { contents.operations }
    /// What makes the key: `kty` and the public members that its type requires (RFC 7638 §3.2).
    public var required: JSONObject { contents.required }
    /// The key itself.
    package var key: VerificationKey { contents.key }
    /// The `kid` as bytes, for comparing.
    var keyIDBytes: [UInt8]? { contents.keyIDBytes }

    /// Reads a key from JSON text; `malformed` when it is not a usable one.
    public init(parsing bytes: [UInt8]) throws(JWTError) {
        try self.init(Self.object(bytes))
    }

    /// Reads a key from its members; `malformed` when it is not a usable one.
    ///
    /// Coordinates must have full length and be on their curve, RSA numbers be those of a possible key. Private
    /// members are passed over. Keys that are too short are read, so that their use can be refused by name.
    public init(_ members: JSONObject) throws(JWTError) {
        let description = Description(
            keyID: try members.keyText("kid"),
            algorithmName: try members.keyText("alg"),
            use: try members.keyText("use"),
            operations: try members.keyTexts("key_ops")
        )
        do {
            let (key, required) = try Self.build(members)
            contents = Contents(description, required, key)
        } catch let error as JWTError {
            throw error
        } catch let error as CryptoError where error.code == .invalidInput {
            throw JWTError(.malformed, error.detail, cause: error)
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
    var ignoringOperations: JWK {
        let description = Description(keyID: keyID, algorithmName: algorithmName, use: use, operations: nil)
        return JWK(Contents(description, required, key))
    }

    private init(_ contents: Contents) {
        self.contents = contents
    }

    /// Whether the key is meant for checking signatures of an algorithm: type, curve, `alg`, `use`, `key_ops`.
    public func fits(_ algorithm: JWSAlgorithm) -> Bool {
        let kind = contents.key.kind
        guard algorithm.scheme.fits(kind), contents.mayVerify else { return false }
        // RFC 7517 §4.4: the key is for no other algorithm than this, where it is present.
        guard contents.algorithmName != nil else { return true }
        guard let own = contents.algorithm else { return false }
        return own.scheme.fits(kind) && algorithm.isNamed(by: own)
    }
}
