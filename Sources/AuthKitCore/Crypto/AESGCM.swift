/// AES in Galois/Counter Mode (NIST SP 800-38D) with a 12-byte nonce and a 16-byte tag.
package struct AESGCM: Sendable, Hashable {
    /// How many bytes a nonce has.
    package static let nonceCount = 12
    /// How many bytes a tag has.
    package static let tagCount = 16

    /// The size of its keys.
    package let keySize: AESKeySize

    /// Chooses a key size.
    package init(_ keySize: AESKeySize) {
        self.keySize = keySize
    }

    /// Seals into ciphertext followed by the tag.
    ///
    /// A nonce must never be used twice with one key.
    package func seal(
        _ plaintext: [UInt8],
        key: borrowing SecretBytes,
        nonce: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == keySize.byteCount, nonce.count == Self.nonceCount, plaintext.count <= Int32.max - 16,
            data.count <= Int32.max
        else {
            throw CryptoError(.invalidInput, "AES-GCM takes a \(keySize.byteCount)-byte key and a 12-byte nonce.")
        }
        let context = try CipherContext.make(.gcm(keySize), key: key, iv: nonce, encrypting: true)
        guard context.update(authenticating: data) else { throw .drain("EVP_EncryptUpdate") }
        guard var sealed = context.run(plaintext.span) else { throw .drain("EVP_EncryptFinal_ex") }
        var tag = [UInt8](repeating: 0, count: Self.tagCount)
        guard context.readTag(&tag) else { throw .drain("EVP_CIPHER_CTX_ctrl") }
        sealed += tag
        return sealed
    }

    /// Opens what `seal` made; any failure is `authentication_failed`, without saying which part was wrong.
    package func open(
        _ sealed: [UInt8],
        key: borrowing SecretBytes,
        nonce: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try open(sealed.span, key: key, nonce: nonce, authenticating: data)
    }

    /// Opens what `seal` made where it lies, as above.
    func open(
        _ sealed: Span<UInt8>,
        key: borrowing SecretBytes,
        nonce: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let refusal = CryptoError(.authenticationFailed, "The sealed bytes do not belong to this key and place.")
        guard key.count == keySize.byteCount, nonce.count == Self.nonceCount, sealed.count >= Self.tagCount,
            sealed.count <= Int32.max, data.count <= Int32.max
        else { throw refusal }
        let context = try CipherContext.make(.gcm(keySize), key: key, iv: nonce, encrypting: false)
        var tag = sealed.extracting(last: Self.tagCount).array()
        guard context.update(authenticating: data), context.setTag(&tag),
            let plaintext = context.run(sealed.extracting(droppingLast: Self.tagCount))
        else {
            CryptoError.discardQueue()
            throw refusal
        }
        return plaintext
    }
}
