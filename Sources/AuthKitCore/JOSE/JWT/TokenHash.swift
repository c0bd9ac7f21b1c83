/// The hashes that bind tokens and codes to an ID token: `at_hash`, `c_hash`, `s_hash` (OpenID Connect Core §3.3.2.11).
package enum TokenHash {
    /// Makes the hash of a text: the left half of its digest, in base64url.
    ///
    /// The digest is that of the ID token's algorithm; for Ed25519 it is SHA-512.
    package static func make(of text: Secret, algorithm: JWSAlgorithm) -> String {
        let digest = (algorithm.scheme.digest ?? .sha512).digest(Array(text.reveal().utf8))
        return Base64URL.encode(Array(digest.prefix(digest.count / 2)))
    }

    /// Checks a claim against the text that it should be of; `wrong_hash` when it is not.
    package static func check(
        _ claim: String,
        named name: String,
        of text: Secret,
        algorithm: JWSAlgorithm
    ) throws(JWTError) {
        let expected = make(of: text, algorithm: algorithm)
        guard ConstantTime.equal(Array(expected.utf8), Array(claim.utf8)) else {
            throw JWTError(.wrongHash, "The ID token's \(name) does not belong to what came with it.")
        }
    }
}
