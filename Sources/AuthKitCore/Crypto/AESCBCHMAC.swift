/// AES in CBC mode with an HMAC over its ciphertext: AES_CBC_HMAC_SHA2 of RFC 7518 §5.2.
package struct AESCBCHMAC: Sendable, Hashable {
    /// How many bytes an IV has.
    package static let ivCount = 16

    /// The size of the key for AES, which the one for HMAC has too.
    package let keySize: AESKeySize

    /// Chooses a key size.
    package init(_ keySize: AESKeySize) {
        self.keySize = keySize
    }

    /// How many bytes both keys have together.
    package var keyCount: Int { 2 * keySize.byteCount }

    /// How many bytes a tag has: the first half of the HMAC.
    package var tagCount: Int { digest.byteCount / 2 }

    // RFC 7518 §5.2.3 to §5.2.5.
    private var digest: MessageDigest {
        switch keySize {
        case .aes128: .sha256
        case .aes192: .sha384
        case .aes256: .sha512
        }
    }

    /// Seals into ciphertext followed by the tag.
    package func seal(
        _ plaintext: [UInt8],
        key: borrowing SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == keyCount, iv.count == Self.ivCount else {
            throw CryptoError(.invalidInput, "AES-CBC with HMAC takes a \(keyCount)-byte key and a 16-byte IV.")
        }
        let context = try CipherContext.make(.cbc(keySize), key: cipherKey(of: key), iv: iv, encrypting: true)
        guard let ciphertext = context.run(plaintext.span) else { throw .drain("EVP_EncryptFinal_ex") }
        return ciphertext + (try tag(of: ciphertext, key: key, iv: iv, authenticating: data))
    }

    /// Opens what `seal` made; any failure is `authentication_failed`, without saying which part was wrong.
    ///
    /// Nothing is decrypted before the tag was found right (RFC 7518 §5.2.2.2).
    package func open(
        _ sealed: [UInt8],
        key: borrowing SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let refusal = CryptoError(.authenticationFailed, "The sealed bytes do not belong to this key and place.")
        guard key.count == keyCount, iv.count == Self.ivCount, sealed.count >= tagCount else { throw refusal }
        let ciphertext = Array(sealed.dropLast(tagCount))
        let expected = try tag(of: ciphertext, key: key, iv: iv, authenticating: data)
        guard ConstantTime.equal(expected, Array(sealed.suffix(tagCount))) else { throw refusal }
        let context = try CipherContext.make(.cbc(keySize), key: cipherKey(of: key), iv: iv, encrypting: false)
        guard let plaintext = context.run(ciphertext.span) else {
            CryptoError.discardQueue()
            throw refusal
        }
        return plaintext
    }

    // RFC 7518 §5.2.2.1 step 1: the key for HMAC comes first.
    private func cipherKey(of key: borrowing SecretBytes) -> SecretBytes { key.part(keySize.byteCount..<keyCount) }

    private func tag(
        of ciphertext: [UInt8],
        key: borrowing SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(data.count + iv.count + ciphertext.count + 8)
        message += data
        message += iv
        message += ciphertext
        // RFC 7518 §5.2.2.1 step 4: the length of the associated data in bits, as 64 bits big-endian.
        let bits = UInt64(data.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        let code = try HMAC.code(of: message, key: key.part(0..<keySize.byteCount), digest: digest)
        return Array(code.prefix(tagCount))
    }
}
