/// The header of a compact JWE (RFC 7516 §4), its parts checked for type but not yet trusted.
public struct JWEHeader: Sendable {
    private let index: JSONMembers

    /// Reads a header; `malformed` when it is no JSON object or a member has the wrong type.
    init(parsing bytes: [UInt8]) throws(JWTError) {
        do throws(JSONError) {
            index = try JSONMembers(parsing: bytes)
        } catch {
            throw .unreadable(.malformed, "header", error)
        }
        // RFC 7516 §4.1.1 and §4.1.2: alg and enc must be present.
        for name in ["alg", "enc"] where index[name]?.string == nil {
            throw JWTError(.malformed, "The encrypted token's header must have the text \(name).")
        }
        for name in ["kid", "typ", "cty"] where index.has(name) && index[name]?.string == nil {
            throw JWTError(.malformed, "The token's \(name) must be a string.")
        }
    }

    /// Every member as sent.
    public var members: JSONObject { index.object }
    /// The `alg` as sent; it may name no algorithm that we have.
    public var algorithmName: String { index["alg"]?.string ?? "" }
    /// The `enc` as sent; it may name no encryption that we have.
    public var encryptionName: String { index["enc"]?.string ?? "" }
    /// The `kid`.
    public var keyID: String? { index["kid"]?.string }
    /// The `typ`.
    public var type: String? { index["typ"]?.string }
    /// The `cty`.
    public var contentType: String? { index["cty"]?.string }

    subscript(name: String) -> JSONValue? { index[name] }

    func has(_ name: String) -> Bool { index.has(name) }
}

extension JWEHeader {
    /// Finds algorithm and encryption, and refuses what is not allowed or not supported, in this order.
    func check(_ policy: JWEPolicy) throws(JWTError) -> (JWEAlgorithm, ContentEncryption) {
        guard let algorithm = JWEAlgorithm(name: algorithmName) else { throw unsupportedAlgorithm }
        guard let encryption = ContentEncryption(name: encryptionName) else {
            throw .unsupported("content encryption", encryptionName)
        }
        guard policy.algorithms.contains(algorithm) else {
            throw JWTError(
                .algorithmNotAllowed,
                "The token is encrypted by \(algorithm), which is not allowed; allow it if it is meant."
            )
        }
        guard policy.encryptions.contains(encryption) else {
            throw JWTError(
                .algorithmNotAllowed,
                "The token is encrypted with \(encryption), which is not allowed; allow it if it is meant."
            )
        }
        // RFC 7516 §4.1.13: none of the extensions that must be understood is. b64 means nothing here without one.
        guard !has("crit"), !has("b64") else {
            throw JWTError(.unsupportedCritical, "The token asks for extensions that are not supported here.")
        }
        // RFC 8725 §3.6: lengths of compressed text tell of the text, and small tokens could grow without bound.
        guard !has("zip") else {
            throw JWTError(.unsupportedAlgorithm, "The token's content is compressed; ask for it without zip.")
        }
        return (algorithm, encryption)
    }

    private var unsupportedAlgorithm: JWTError {
        let name = algorithmName
        // Its padding lets a server that answers at all be used for decryption (RFC 8725 §3.2).
        if name == "RSA1_5" {
            return JWTError(.unsupportedAlgorithm, "RSA1_5 is not supported; ask for RSA-OAEP or RSA-OAEP-256.")
        }
        if name.hasPrefix("PBES2-") {
            return JWTError(.unsupportedAlgorithm, "Encryption with passwords (PBES2) is not supported; use a key.")
        }
        return .unsupported("algorithm", name)
    }
}
