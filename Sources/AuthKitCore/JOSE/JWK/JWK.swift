/// A public signature key as a JSON Web Key (RFC 7517): RSA, EC on a NIST curve, or Ed25519.
///
/// Private members of the text are not kept. The key is built once, when the JWK is read.
public struct JWK: Sendable {
    /// The `kid`.
    public let keyID: String?
    /// The `alg` as written; it may name one that we do not have.
    public let algorithmName: String?
    /// The `use`.
    public let use: String?
    /// The `key_ops`.
    public let operations: [String]?
    /// The members that make the key: `kty` and those that its type requires (RFC 7638 §3.2).
    public let required: JSONObject
    /// The key itself.
    package let key: VerificationKey

    /// Reads a key from JSON text; `malformed` when it is not a usable one.
    public init(parsing bytes: [UInt8]) throws(JWTError) {
        let object: JSONObject?
        do {
            object = try JSONValue(parsing: bytes).object
        } catch {
            throw JWTError(.malformed, "The key cannot be read.", cause: error)
        }
        guard let object else { throw JWTError(.malformed, "A JWK is a JSON object.") }
        try self.init(object)
    }

    /// Reads a key from its members; `malformed` when it is not a usable one.
    ///
    /// Coordinates must have full length and be on their curve, RSA numbers be those of a possible key. RSA keys
    /// below 2048 bits are read, so that their use can be refused by name.
    public init(_ members: JSONObject) throws(JWTError) {
        keyID = try Self.text("kid", of: members)
        algorithmName = try Self.text("alg", of: members)
        use = try Self.text("use", of: members)
        operations = try Self.list("key_ops", of: members)
        do {
            switch members["kty"]?.string {
            case "RSA":
                let (n, e) = (try Self.bytes("n", of: members), try Self.bytes("e", of: members))
                key = try VerificationKey.rsa(modulus: n, exponent: e)
                required = [
                    "e": Self.number(e), "kty": "RSA", "n": Self.number(n),
                ]
            case "EC":
                guard let curve = EllipticCurve(name: members["crv"]?.string ?? "") else {
                    throw JWTError(.malformed, "The key's curve is not supported; use P-256, P-384 or P-521.")
                }
                let (x, y) = (try Self.bytes("x", of: members), try Self.bytes("y", of: members))
                key = try VerificationKey.ec(curve, x: x, y: y)
                required = [
                    "crv": .string(curve.name), "kty": "EC", "x": .string(Base64URL.encode(x)),
                    "y": .string(Base64URL.encode(y)),
                ]
            case "OKP" where members["crv"]?.string == "Ed25519":
                let x = try Self.bytes("x", of: members)
                key = try VerificationKey.ed25519(x)
                required = ["crv": "Ed25519", "kty": "OKP", "x": .string(Base64URL.encode(x))]
            default:
                throw JWTError(.malformed, "The key's type is not supported; use RSA, EC or Ed25519.")
            }
        } catch let error as JWTError {
            throw error
        } catch {
            throw JWTError(.malformed, "The key's numbers are not those of a usable key.", cause: error)
        }
    }

    /// Whether it is too short to be believed: RSA below 2048 bits (RFC 7518 §3.3).
    public var isWeak: Bool { key.kind == .rsa && key.bits < 2048 }

    /// The SHA-256 thumbprint in base64url (RFC 7638).
    public var thumbprint: String {
        // RFC 7638 §3.3: the required members in lexicographic order, without spaces.
        var ordered = JSONObject()
        for name in required.names.sorted() { ordered[name] = required[name] }
        return Base64URL.encode(SHA256.digest(ordered.serialized()))
    }

    /// The key as JSON, public members only.
    public var members: JSONObject {
        var members = JSONObject()
        members["kid"] = keyID.map(JSONValue.string)
        members["use"] = use.map(JSONValue.string)
        members["key_ops"] = operations.map(JSONValue.strings)
        members["alg"] = algorithmName.map(JSONValue.string)
        for member in required.members { members[member.name] = member.value }
        return members
    }

    /// Whether the key is meant for checking signatures of an algorithm: type, curve, `alg`, `use`, `key_ops`.
    public func fits(_ algorithm: JWSAlgorithm) -> Bool {
        guard algorithm.scheme.fits(key.kind) else { return false }
        // RFC 7517 §4.2 to §4.4: each of these, where present, limits what the key is for.
        if let algorithmName {
            guard let own = JWSAlgorithm(name: algorithmName), own.isSameSignature(as: algorithm) else { return false }
        }
        if let use, use != "sig" { return false }
        if let operations, !operations.contains("verify") { return false }
        return true
    }
}

extension JWK {
    private static func text(_ name: String, of members: JSONObject) throws(JWTError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw JWTError(.malformed, "The key's \(name) must be a string.") }
        return text
    }

    private static func list(_ name: String, of members: JSONObject) throws(JWTError) -> [String]? {
        guard let value = members[name] else { return nil }
        guard let elements = value.array, case let texts = elements.compactMap(\.string), texts.count == elements.count
        else { throw JWTError(.malformed, "The key's \(name) must be a list of strings.") }
        return texts
    }

    static func bytes(_ name: String, of members: JSONObject) throws(JWTError) -> [UInt8] {
        guard let text = members[name]?.string, !text.isEmpty, text.utf8.count <= 1 << 14 else {
            throw JWTError(.malformed, "The key has no \(name).")
        }
        do {
            return try Base64URL.decode(text)
        } catch {
            throw JWTError(.malformed, "The key's \(name) is not canonical base64url.")
        }
    }

    /// RFC 7518 §2: an unsigned integer has no leading zeros; some issuers write one, which is dropped.
    private static func number(_ bytes: [UInt8]) -> JSONValue {
        .string(Base64URL.encode(Array(bytes.drop { $0 == 0 })))
    }
}
