import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with a 12-byte nonce and a 16-byte tag.
package enum AES256GCM {
    /// How many bytes a nonce has.
    package static let nonceCount = 12
    /// How many bytes a tag has.
    package static let tagCount = 16

    /// Seals into ciphertext followed by the tag.
    ///
    /// A nonce must never be used twice with one key.
    package static func seal(
        _ plaintext: [UInt8],
        key: borrowing SecretBytes,
        nonce: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == 32, nonce.count == nonceCount, plaintext.count <= Int32.max - 16, data.count <= Int32.max
        else { throw CryptoError(.invalidInput, "AES-256-GCM takes a 32-byte key and a 12-byte nonce.") }
        let context = try CipherContext.make(key: key, nonce: nonce, encrypting: true)
        guard context.update(authenticating: data) else { throw .drain("EVP_EncryptUpdate") }
        var output = [UInt8](repeating: 0, count: plaintext.count + tagCount)
        guard context.update(plaintext, into: &output), context.finish() else { throw .drain("EVP_EncryptFinal_ex") }
        var tag = [UInt8](repeating: 0, count: tagCount)
        guard context.readTag(&tag) else { throw .drain("EVP_CIPHER_CTX_ctrl") }
        output.replaceSubrange(plaintext.count..., with: tag)
        return output
    }

    /// Opens what `seal` made; any failure is `authentication_failed`, without saying which part was wrong.
    package static func open(
        _ sealed: [UInt8],
        key: borrowing SecretBytes,
        nonce: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let refusal = CryptoError(.authenticationFailed, "The sealed bytes do not belong to this key and place.")
        guard key.count == 32, nonce.count == nonceCount, sealed.count >= tagCount, sealed.count <= Int32.max,
            data.count <= Int32.max
        else { throw refusal }
        let context = try CipherContext.make(key: key, nonce: nonce, encrypting: false)
        var tag = Array(sealed.suffix(tagCount))
        let ciphertext = Array(sealed.dropLast(tagCount))
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
        guard context.update(authenticating: data), context.update(ciphertext, into: &plaintext),
            context.setTag(&tag), context.finish()
        else {
            ConstantTime.wipe(&plaintext)
            CryptoError.discardQueue()
            throw refusal
        }
        return plaintext
    }
}
