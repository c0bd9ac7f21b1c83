/// JSON Web Encryption in its compact form (RFC 7516).
public enum JWE: Sendable {
    /// No token is tried with more keys than this.
    static let trialLimit = 16

    /// Reads the header of an encrypted token; nothing of it can be trusted.
    public static func unverifiedHeader(of token: String) throws(JWTError) -> JWEHeader {
        try JWEHeader(parsing: CompactJWE(token).header)
    }

    static var failure: JWTError {
        JWTError(.decryptionFailed, "The token cannot be decrypted; it was changed, or is for another key.")
    }

    /// Finds the keys that a token may be for, a bounded number of them.
    ///
    /// Fails with `key_not_found` when the kid names no key, `key_mismatch` when none of those named is for the
    /// algorithm, and `weak_key` when all of these are too short.
    static func candidates(
        among keys: [EncryptionKey],
        keyID: String?,
        _ fits: (EncryptionKey) -> Bool
    ) throws(JWTError) -> [EncryptionKey] {
        let named = keyID.map { id in keys.filter { $0.keyID?.hasSameBytes(as: id) == true } } ?? keys
        guard !named.isEmpty else { throw JWTError(.keyNotFound, "There is no key for this encrypted token.") }
        let fitting = named.filter(fits)
        guard !fitting.isEmpty else {
            throw JWTError(.keyMismatch, "None of the keys is for decryption by the token's algorithm.")
        }
        let strong = fitting.filter { !$0.isWeak }
        guard !strong.isEmpty else { throw JWTError(.weakKey, "Use an RSA key of at least 2048 bits.") }
        return Array(strong.prefix(trialLimit))
    }
}
