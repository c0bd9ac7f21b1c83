import COpenSSL

/// One signature being made, owned.
@safe
struct SignatureContext: ~Copyable {
    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_MD_CTX_free(pointer) }

    static func make(_ key: EVPKey, _ scheme: SignatureScheme) throws(CryptoError) -> SignatureContext {
        guard let raw = unsafe EVP_MD_CTX_new() else { throw .drain("EVP_MD_CTX_new") }
        let context = unsafe SignatureContext(owning: raw)
        let digest = unsafe scheme.digest?.fetched.pointer
        var options: OpaquePointer?  // owned by the context
        guard unsafe EVP_DigestSignInit(context.pointer, &options, digest, nil, key.pointer) == 1 else {
            throw .drain("EVP_DigestSignInit")
        }
        if case .rsaPSS = scheme {
            // RFC 7518 §3.5: the salt is as long as the digest, MGF1 uses the same digest.
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(options, digest) == 1
            else { throw .drain("EVP_PKEY_CTX_set_rsa_padding") }
        }
        return context
    }

    borrowing func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        var count = 0
        guard unsafe EVP_DigestSign(pointer, nil, &count, message, message.count) == 1 else {
            throw .drain("EVP_DigestSign")
        }
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(pointer, &signature, &count, message, message.count) == 1 else {
            throw .drain("EVP_DigestSign")
        }
        return Array(signature.prefix(count))
    }
}
