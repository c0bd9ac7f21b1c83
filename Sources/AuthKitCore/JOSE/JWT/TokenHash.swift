/// The hashes that bind tokens and codes to an ID token: `at_hash`, `c_hash`, `s_hash` (OpenID Connect Core §3.3.2.11).
package enum TokenHash {
    /// Makes the hash of a text: the left half of its digest, in base64url.
    ///
    /// The digest is that of the ID token's signature, which for EdDSA the key decides.
    package static func make(of text: Secret, algorithm: JWSAlgorithm, key: KeyKind) -> String {
        let bytes = Array(text.reveal().utf8)
        let digest =
            switch (algorithm.scheme.digest, key) {
            case (let digest?, _): digest.digest(bytes)
            // RFC 8032 §5.2.6: Ed448 digests with SHAKE256 into 114 bytes, Ed25519 (§5.1.6) with SHA-512.
            case (nil, .ed448): SHAKE256.digest(bytes, count: 114)
            case (nil, _): MessageDigest.sha512.digest(bytes)
            }
        return Base64URL.encode(Array(digest.prefix(digest.count / 2)))
    }

    /// Checks a claim against the text that it should be of; `wrong_hash` when it is not.
    package static func check(
        _ claim: String,
        named name: String,
        of text: Secret,
        algorithm: JWSAlgorithm,
        key: KeyKind
    ) throws(JWTError) {
        let expected = make(of: text, algorithm: algorithm, key: key)
        guard ConstantTime.equal(Array(expected.utf8), Array(claim.utf8)) else {
            throw JWTError(.wrongHash, "The ID token's \(name) does not belong to what came with it.")
        }
    }
}
