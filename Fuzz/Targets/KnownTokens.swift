import AuthKitCore

/// The tokens of standards, their keys, and one of these to sign with: the tests' vectors.
struct KnownTokens {
    let tokens: [String]
    let keys: JWKSet
    let signer: SigningKey

    /// Reads the vectors.
    static func read() throws -> KnownTokens {
        var (tokens, keys, signer): ([String], [JWK], SigningKey?) = ([], [], nil)
        for row in try VectorRows.read() {
            guard let token = row["token"]?.string, let key = row["key"]?.object else { throw VectorRows.Unusable() }
            tokens.append(token)
            keys.append(try JWK(key))
            // The first is for HMAC, the fastest.
            if signer == nil { signer = try SigningKey(PrivateJWK(key), algorithm: .hs256) }
        }
        guard let signer else { throw VectorRows.Unusable() }
        return KnownTokens(tokens: tokens, keys: JWKSet(keys), signer: signer)
    }
}
