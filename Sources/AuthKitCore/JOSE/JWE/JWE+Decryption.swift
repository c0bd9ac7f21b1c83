extension JWE {
    /// Decrypts a token with one of several keys.
    ///
    /// A token with a kid is for the keys of that kid, one without for every key that fits. Checked in this order:
    /// size, form, algorithms known, algorithms allowed, `crit` and `zip`, lengths, the sender's key, our keys. From
    /// there on every failure is `decryption_failed` and says the same.
    public static func decrypt(
        _ token: String,
        with keys: [PrivateJWK],
        policy: JWEPolicy
    ) throws(JWTError) -> DecryptedJWE {
        try decrypt(token, with: keys.map { EncryptionKey($0) }, ignoringKeyID: false, policy: policy)
    }

    /// Decrypts a token with one key, which, when it has no kid, fits tokens of any kid.
    public static func decrypt(
        _ token: String,
        with key: PrivateJWK,
        policy: JWEPolicy
    ) throws(JWTError) -> DecryptedJWE {
        try decrypt(token, with: [EncryptionKey(key)], ignoringKeyID: key.keyID == nil, policy: policy)
    }

    private static func decrypt(
        _ token: String,
        with keys: [EncryptionKey],
        ignoringKeyID: Bool,
        policy: JWEPolicy
    ) throws(JWTError) -> DecryptedJWE {
        let parts = try CompactJWE(token)
        let header = try JWEHeader(parsing: parts.header)
        let (algorithm, encryption) = try header.check(policy)
        try parts.checkLengths(algorithm, encryption)
        let reader = try KeyReader(header, algorithm, encryption, encryptedKey: parts.encryptedKey)
        let candidates = try candidates(among: keys, keyID: ignoringKeyID ? nil : header.keyID) { reader.fits($0) }
        let sealed = parts.ciphertext + parts.tag
        for key in candidates {
            // RFC 7516 §11.5: whether it was the key or the content that failed must not be told.
            guard let content = try? reader.contentKey(for: key),
                let plaintext = try? encryption.open(
                    sealed,
                    key: content,
                    iv: parts.iv,
                    authenticating: parts.authenticated
                )
            else { continue }
            return DecryptedJWE(header: header, algorithm: algorithm, encryption: encryption, plaintext: plaintext)
        }
        throw failure
    }
}
