import AuthKitCore
import Testing

/// An encrypted token that a standard shows, with its reader's key.
struct EncryptedVector: Sendable, CustomTestStringConvertible {
    let source: String
    let key: JSONObject
    let token: String
    let plaintext: String

    var testDescription: String { source }

    /// Those of RFC 7516 and RFC 7520.
    static func all() throws -> [EncryptedVector] { try rows(of: "encrypted-tokens", atLeast: 7) }

    /// What another library made, of the algorithms that no standard shows.
    static func interoperable() throws -> [EncryptedVector] { try rows(of: "encrypted-interop", atLeast: 10) }

    private static func rows(of file: String, atLeast count: Int) throws -> [EncryptedVector] {
        let rows = try VectorFile.rows(file).map { row in
            EncryptedVector(
                source: try #require(row["source"]?.string),
                key: try #require(row["key"]?.object),
                token: try #require(row["token"]?.string),
                plaintext: try #require(row["plaintext"]?.string)
            )
        }
        try #require(rows.count >= count)
        return rows
    }

    var parts: [Substring] { token.split(separator: ".", omittingEmptySubsequences: false) }

    var header: JSONObject {
        get throws { try #require(JSONValue(parsing: Base64URL.decode(parts[0])).object) }
    }

    /// The token with another header and all else as it is.
    func token(header: JSONObject) -> String {
        ([Substring(Base64URL.encode(header.serialized()))] + parts.dropFirst()).joined(separator: ".")
    }

    /// The token with one part, counted from zero, made of other bytes.
    func token(part: Int, _ bytes: [UInt8]) -> String {
        var parts = parts
        parts[part] = Substring(Base64URL.encode(bytes))
        return parts.joined(separator: ".")
    }
}

/// What encryption tests share.
enum Encryption {
    static let everything = JWEPolicy(algorithms: JWEAlgorithm.all, encryptions: ContentEncryption.all)

    static let rsa = try! PrivateJWK.generate(.rsa(), keyID: "rsa")
    static let p256 = try! PrivateJWK.generate(.p256, keyID: "p256")
    static let p384 = try! PrivateJWK.generate(.p384, keyID: "p384")
    static let p521 = try! PrivateJWK.generate(.p521, keyID: "p521")
    static let x25519 = try! PrivateJWK.generate(.x25519, keyID: "x25519")

    static func symmetric(_ count: Int, _ members: JSONObject = [:]) throws -> PrivateJWK {
        var all: JSONObject = [
            "kty": "oct", "k": .string(Base64URL.encode((0..<count).map { UInt8(truncatingIfNeeded: $0) })),
        ]
        for member in members.members { all[member.name] = member.value }
        return try PrivateJWK(all)
    }

    /// Keys that fit an algorithm and encryption.
    static func keys(for algorithm: JWEAlgorithm, _ encryption: ContentEncryption) throws -> [PrivateJWK] {
        switch algorithm {
        case .rsaOAEP, .rsaOAEP256: [rsa]
        case .a128KW: [try symmetric(16)]
        case .a192KW: [try symmetric(24)]
        case .a256KW: [try symmetric(32)]
        case .direct: [try symmetric(encryption.keyCount)]
        default: [p256, p384, p521, x25519]
        }
    }

    /// The error of a decryption; nil when there is none.
    static func error(
        of token: String,
        with keys: [PrivateJWK],
        policy: JWEPolicy = everything
    ) -> JWTError? {
        do {
            _ = try JWE.decrypt(token, with: keys, policy: policy)
            return nil
        } catch {
            return error
        }
    }

    /// The code with which a decryption is refused; nil when it is not.
    static func refusal(
        of token: String,
        with keys: [PrivateJWK],
        policy: JWEPolicy = everything
    ) -> JWTError.Code? {
        error(of: token, with: keys, policy: policy)?.code
    }
}
