/// HKDF with SHA-256, extract and expand (RFC 5869).
package enum HKDF {
    /// Derives a key; the count is between 1 and 255 × 32 (RFC 5869 §2.3).
    package static func derive(
        from key: borrowing SecretBytes,
        salt: [UInt8],
        info: [UInt8],
        count: Int
    ) throws(CryptoError) -> SecretBytes {
        guard (1...255 * 32).contains(count) else {
            throw CryptoError(.invalidInput, "HKDF with SHA-256 gives between 1 and 8160 bytes.")
        }
        var parameters = ParameterList()
        parameters.add(.digest, text: MessageDigest.sha256.name)
        parameters.add(.kdfKey, secret: key)
        // RFC 5869 §2.2: no salt is a salt of zeros, which is what HMAC makes of an empty key.
        parameters.add(.salt, bytes: salt)
        parameters.add(.info, bytes: info)
        return try KeyDerivation.make(.hkdf).derive(count: count, parameters)
    }
}
