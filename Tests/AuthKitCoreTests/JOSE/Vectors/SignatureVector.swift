import AuthKitCore
import Testing

/// A signed token of a standard, with the private key that the standard gives for it.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let source: String
    let algorithm: JWSAlgorithm
    /// The key as the standard has it, private members included.
    let key: JSONObject
    let token: String
    /// Whether signing again gives the same bytes.
    let isDeterministic: Bool

    var testDescription: String { "\(source), \(algorithm)" }

    /// The header, payload and signature as text.
    var parts: [String] { token.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }

    /// The signature's bytes.
    var signature: [UInt8] { get throws { try Base64URL.decode(parts[2]) } }

    /// The set with the one key.
    var keys: JWKSet { get throws { JWKSet([try JWK(key)]) } }

    /// The private key, to sign with the vector's algorithm.
    var signer: SigningKey { get throws { try SigningKey(PrivateJWK(key), algorithm: algorithm) } }

    /// The header's members.
    var header: JSONObject {
        get throws { try #require(try JSONValue(parsing: Base64URL.decode(parts[0])).object) }
    }

    /// Reads every vector.
    static func all() throws -> [SignatureVector] {
        let vectors = try VectorFile.rows("signatures").map { row in
            SignatureVector(
                source: try #require(row["source"]?.string),
                algorithm: try #require(JWSAlgorithm(name: row["algorithm"]?.string ?? "")),
                key: try #require(row["key"]?.object),
                token: try #require(row["token"]?.string),
                isDeterministic: row["deterministic"]?.bool == true
            )
        }
        try #require(vectors.count >= 10)
        return vectors
    }

    /// The set with the keys of all vectors.
    static func allKeys() throws -> JWKSet { JWKSet(try all().map { try JWK($0.key) }) }

    /// The token with another header or signature.
    func token(header: String? = nil, payload: String? = nil, signature: [UInt8]? = nil) -> String {
        let parts = parts
        return [header ?? parts[0], payload ?? parts[1], signature.map(Base64URL.encode) ?? parts[2]]
            .joined(separator: ".")
    }

    /// The code with which a token is refused under the vector's key and algorithm; nil when it is believed.
    func refusal(of token: String) throws -> JWTError.Code? {
        try Self.refusal(of: token, with: keys, algorithms: [algorithm])
    }

    /// The code with which a token is refused; nil when it is believed.
    static func refusal(of token: String, with keys: JWKSet, algorithms: [JWSAlgorithm]) -> JWTError.Code? {
        do throws(JWTError) {
            _ = try JWTVerifier.verifySignature(token, with: keys, algorithms: algorithms)
            return nil
        } catch {
            return error.code
        }
    }
}
