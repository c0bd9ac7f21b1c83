import AuthKitCore
import Glibc

/// The tokens of standards, their keys, and one of these to sign with: the tests' vectors.
struct KnownTokens {
    struct Unusable: Error {}

    let tokens: [String]
    let keys: JWKSet
    let signer: SigningKey

    /// Reads the file that AUTHKIT_VECTORS names.
    static func read() throws -> KnownTokens {
        guard let path = getenv("AUTHKIT_VECTORS"), let file = fopen(path, "r") else { throw Unusable() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        guard let rows = try JSONValue(parsing: bytes).array else { throw Unusable() }
        var (tokens, keys, signer): ([String], [JWK], SigningKey?) = ([], [], nil)
        for row in rows {
            guard let token = row["token"]?.string, let key = row["key"]?.object else { throw Unusable() }
            tokens.append(token)
            keys.append(try JWK(key))
            // The first is for HMAC, the fastest.
            if signer == nil { signer = try SigningKey(PrivateJWK(key), algorithm: .hs256) }
        }
        guard let signer else { throw Unusable() }
        return KnownTokens(tokens: tokens, keys: JWKSet(keys), signer: signer)
    }
}
