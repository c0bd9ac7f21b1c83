import COpenSSL

// @unchecked: a context is taken out of its key's pool by one caller, used by it alone and put back; nothing else
// refers to it.

/// One key made ready to check signatures of one scheme, to be used again and again.
///
/// RSA and ECDSA check a digest with an initialised context: a tenth less than what EVP_DigestVerify costs.
@safe
final class VerificationContext: @unchecked Sendable {
    let scheme: SignatureScheme
    private let key: EVPKey?
    private let verify: OpaquePointer?
    private let digest: OpaquePointer?
    private let code: HMACContext?

    private init(
        _ scheme: SignatureScheme,
        key: EVPKey? = nil,
        owningVerify verify: OpaquePointer? = nil,
        owningDigest digest: OpaquePointer? = nil,
        code: consuming HMACContext? = nil
    ) {
        self.scheme = scheme
        self.key = key
        unsafe self.verify = verify
        unsafe self.digest = digest
        self.code = code
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(verify)
        unsafe EVP_MD_CTX_free(digest)
    }

    static func make(_ scheme: SignatureScheme, key: SymmetricKey) throws(CryptoError) -> VerificationContext {
        guard case .hmac(let digest) = scheme else { throw CryptoError(.invalidInput, "The key is for HMAC alone.") }
        return unsafe VerificationContext(scheme, code: try HMACContext.make(digest, key: key.bytes))
    }

    static func make(_ scheme: SignatureScheme, key: EVPKey) throws(CryptoError) -> VerificationContext {
        guard let digest = unsafe EVP_MD_CTX_new() else { throw .drain("EVP_MD_CTX_new") }
        guard let algorithm = scheme.digest else {
            return unsafe VerificationContext(scheme, key: key, owningDigest: digest)
        }
        let verify = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
        let context = unsafe VerificationContext(scheme, key: key, owningVerify: verify, owningDigest: digest)
        guard unsafe verify != nil, unsafe EVP_PKEY_verify_init(verify) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(verify, algorithm.fetched.pointer) == 1
        else { throw .drain("EVP_PKEY_verify_init") }
        switch scheme {
        case .rsaPKCS1:
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(verify, RSA_PKCS1_PADDING) == 1 else {
                throw .drain("EVP_PKEY_CTX_set_rsa_padding")
            }
        case .rsaPSS:
            // RFC 7518 §3.5: the salt is as long as the digest, MGF1 uses the same digest.
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(verify, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(verify, RSA_PSS_SALTLEN_DIGEST) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(verify, algorithm.fetched.pointer) == 1
            else { throw .drain("EVP_PKEY_CTX_set_rsa_padding") }
        default: break
        }
        return context
    }

    /// Whether the signature, in libcrypto's form, is the key's over the message.
    ///
    /// Throws when the signature could not be looked at.
    func isValid(_ signature: Span<UInt8>, of message: Span<UInt8>) throws(CryptoError) -> Bool {
        guard let digest = scheme.digest else { return try isValidWithoutDigest(signature, message) }
        if case .hmac = scheme { return try isCode(signature, message) }
        var hash: InlineArray<64, UInt8> = .init(repeating: 0)
        var count: UInt32 = 0
        let isHashed =
            unsafe EVP_DigestInit_ex2(self.digest, digest.fetched.pointer, nil) == 1
            && message.withUnsafeBufferPointer { unsafe EVP_DigestUpdate(self.digest, $0.baseAddress, $0.count) } == 1
            && withUnsafeMutableBytes(of: &hash) { buffer in
                unsafe EVP_DigestFinal_ex(
                    self.digest,
                    buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    &count
                )
            } == 1
        guard isHashed, Int(count) == digest.byteCount else { throw .drain("EVP_DigestFinal_ex") }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe withUnsafeBytes(of: &hash) { hash in
                let start = unsafe hash.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe EVP_PKEY_verify(verify, signature.baseAddress, signature.count, start, Int(count)) == 1
            }
        }
    }

    private func isValidWithoutDigest(_ signature: Span<UInt8>, _ message: Span<UInt8>) throws(CryptoError) -> Bool {
        guard let key, unsafe EVP_DigestVerifyInit_ex(digest, nil, nil, nil, nil, key.pointer, nil) == 1 else {
            throw .drain("EVP_DigestVerifyInit_ex")
        }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerify(
                    digest,
                    signature.baseAddress,
                    signature.count,
                    message.baseAddress,
                    message.count
                ) == 1
            }
        }
    }

    private func isCode(_ signature: Span<UInt8>, _ message: Span<UInt8>) throws(CryptoError) -> Bool {
        // Lengths are no secret; the comparison must not tell how far it came.
        let result = code?.withCode(of: message) { ConstantTime.equal(signature, $0) }
        guard let result = result ?? nil else { throw .drain("EVP_DigestFinal_ex") }
        return result
    }
}
