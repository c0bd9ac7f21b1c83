import COpenSSL

/// Diffie-Hellman on elliptic curves: ECDH (NIST SP 800-56A §5.7.1.2) and X25519 (RFC 7748 §6.1).
enum KeyAgreement {
    /// Computes the secret that two keys of one curve share; `authentication_failed` when there is none.
    static func sharedSecret(of own: EVPKey, and peer: EVPKey) throws(CryptoError) -> SecretBytes {
        let refusal = CryptoError(.authenticationFailed, "The two keys share no secret.")
        let context = try EVPKeyContext.make(for: own)
        guard unsafe EVP_PKEY_derive_init(context.pointer) == 1 else { throw .drain("EVP_PKEY_derive_init") }
        var room = 0
        // The peer's point is checked once more: on the curve, not infinity, in the right group.
        guard unsafe EVP_PKEY_derive_set_peer_ex(context.pointer, peer.pointer, 1) == 1,
            unsafe EVP_PKEY_derive(context.pointer, nil, &room) == 1, (1...128).contains(room)
        else {
            CryptoError.discardQueue()
            throw refusal
        }
        let secret = try unsafe SecretBytes.filled(upTo: room) { output throws(CryptoError) in
            var written = output.count
            let start = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard unsafe EVP_PKEY_derive(context.pointer, start, &written) == 1, written <= output.count else {
                CryptoError.discardQueue()
                throw refusal
            }
            return written
        }
        // RFC 7748 §6.1, RFC 8037 §3.2: a point of small order gives zeros whoever's key it meets.
        guard !secret.isZero else { throw refusal }
        return secret
    }
}
