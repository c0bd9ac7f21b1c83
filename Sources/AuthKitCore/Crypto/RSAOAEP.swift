import COpenSSL

/// RSAES-OAEP (RFC 8017 §7.1) without a label, its mask made with the same digest (RFC 7518 §4.3).
package enum RSAOAEP: Sendable, Hashable {
    /// With SHA-1, the defaults of RFC 8017.
    case sha1
    /// With SHA-256.
    case sha256

    /// Encrypts a secret for the owner of a key.
    func encrypt(_ secret: borrowing SecretBytes, for key: EVPKey) throws(CryptoError) -> [UInt8] {
        let context = try EVPKeyContext.make(for: key)
        guard unsafe EVP_PKEY_encrypt_init(context.pointer) == 1 else { throw .drain("EVP_PKEY_encrypt_init") }
        try choosePadding(in: context)
        var output = [UInt8](repeating: 0, count: (key.bits + 7) / 8)
        var written = output.count
        let status = unsafe secret.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe EVP_PKEY_encrypt(context.pointer, &output, &written, start, bytes.count)
        }
        guard status == 1, written == output.count else { throw .drain("EVP_PKEY_encrypt") }
        return output
    }

    /// Decrypts what `encrypt` made; any failure is `authentication_failed`.
    func decrypt(_ ciphertext: [UInt8], with key: EVPKey) throws(CryptoError) -> SecretBytes {
        let refusal = CryptoError(.authenticationFailed, "The encrypted key does not belong to this key.")
        let size = (key.bits + 7) / 8
        // RFC 8017 §7.1.2 step 1: as long as the modulus.
        guard ciphertext.count == size else { throw refusal }
        let context = try EVPKeyContext.make(for: key)
        guard unsafe EVP_PKEY_decrypt_init(context.pointer) == 1 else { throw .drain("EVP_PKEY_decrypt_init") }
        try choosePadding(in: context)
        return try unsafe SecretBytes.filled(upTo: size) { output throws(CryptoError) in
            var written = output.count
            let start = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let status = unsafe EVP_PKEY_decrypt(context.pointer, start, &written, ciphertext, ciphertext.count)
            guard status == 1, written <= output.count else {
                CryptoError.discardQueue()
                throw refusal
            }
            return written
        }
    }

    private func choosePadding(in context: borrowing EVPKeyContext) throws(CryptoError) {
        let digest = self == .sha1 ? FetchedAlgorithm.sha1ForOAEP : .sha256
        guard unsafe EVP_PKEY_CTX_set_rsa_padding(context.pointer, RSA_PKCS1_OAEP_PADDING) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_oaep_md(context.pointer, digest.pointer) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(context.pointer, digest.pointer) == 1
        else { throw .drain("EVP_PKEY_CTX_set_rsa_padding") }
    }
}
