import COpenSSL

// The calls of libcrypto that the cases are measured against: each as fast as it is used well, the key loaded, the
// digest fetched, the context used again. @unchecked: each is used by one task at a time.

/// `EVP_DigestVerify` with a context that is used again.
@safe
final class RawVerification: @unchecked Sendable {
    private let key: OpaquePointer
    private let context: OpaquePointer
    private let digest: OpaquePointer?
    private let isPSS: Bool

    /// Takes a public key in DER; a digest's name, or none for EdDSA.
    init(der: [UInt8], digest name: String?, isPSS: Bool = false) throws {
        let key = unsafe der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key = unsafe key, let context = unsafe EVP_MD_CTX_new() else {
            throw BenchmarkError("libcrypto does not take the key.")
        }
        unsafe self.key = key
        unsafe self.context = context
        unsafe digest = name.flatMap { unsafe EVP_MD_fetch(nil, $0, nil) }
        self.isPSS = isPSS
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
        unsafe EVP_PKEY_free(key)
        unsafe EVP_MD_free(digest)
    }

    /// Checks a signature in libcrypto's form; throws unless it is valid.
    func verify(_ signature: [UInt8], of message: [UInt8]) throws {
        var settings: OpaquePointer?
        guard unsafe EVP_DigestVerifyInit(context, &settings, digest, nil, key) == 1,
            unsafe !isPSS || RawKey.setPSS(settings),
            unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        else { throw BenchmarkError("libcrypto does not find the signature valid.") }
    }
}

/// `EVP_DigestSign` with a context that is used again.
@safe
final class RawSigning {
    private let key: OpaquePointer
    private let context: OpaquePointer
    private let digest: OpaquePointer?
    private var signature = [UInt8](repeating: 0, count: 512)

    /// Takes a private key in PEM.
    init(pem: String, digest name: String?) throws {
        let bytes = Array(pem.utf8)
        let key = unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            let file = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { unsafe _ = BIO_free(file) }
            return unsafe PEM_read_bio_PrivateKey(file, nil, nil, nil)
        }
        guard let key = unsafe key, let context = unsafe EVP_MD_CTX_new() else {
            throw BenchmarkError("libcrypto does not take the private key.")
        }
        unsafe self.key = key
        unsafe self.context = context
        unsafe digest = name.flatMap { unsafe EVP_MD_fetch(nil, $0, nil) }
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
        unsafe EVP_PKEY_free(key)
        unsafe EVP_MD_free(digest)
    }

    /// Signs a message.
    func sign(_ message: [UInt8]) throws {
        var count = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, digest, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw BenchmarkError("libcrypto does not sign.") }
    }
}

/// `EVP_MAC` with a context that is used again, its key set once.
@safe
final class RawCode {
    private let context: OpaquePointer
    private var code = [UInt8](repeating: 0, count: 64)

    /// Takes the key of HMAC with SHA-256.
    init(key: [UInt8]) throws {
        let fetched = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
        defer { unsafe EVP_MAC_free(fetched) }
        guard let context = unsafe EVP_MAC_CTX_new(fetched) else { throw BenchmarkError("There is no HMAC.") }
        unsafe self.context = context
        var name = Array("SHA2-256".utf8CString)
        let isReady = unsafe name.withUnsafeMutableBufferPointer { name in
            let parameters = unsafe [
                OSSL_PARAM_construct_utf8_string(ak_name_digest(), name.baseAddress, 0), OSSL_PARAM_construct_end(),
            ]
            return unsafe EVP_MAC_init(context, key, key.count, parameters) == 1
        }
        guard isReady else { throw BenchmarkError("HMAC does not take the key.") }
    }

    deinit { unsafe EVP_MAC_CTX_free(context) }

    /// Checks the code of a message; throws unless it is the right one.
    func verify(_ expected: [UInt8], of message: [UInt8]) throws {
        var count = 0
        guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1,
            unsafe EVP_MAC_update(context, message, message.count) == 1,
            unsafe EVP_MAC_final(context, &code, &count, code.count) == 1, count == expected.count,
            unsafe CRYPTO_memcmp(code, expected, count) == 0
        else { throw BenchmarkError("HMAC gives another code.") }
    }
}

/// Settings and forms of libcrypto.
enum RawKey {
    /// Sets what PS256 asks for.
    static func setPSS(_ settings: OpaquePointer?) -> Bool {
        unsafe EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1
    }

    /// The DER form of an ECDSA signature in JOSE's form.
    static func der(_ signature: [UInt8]) throws -> [UInt8] {
        let half = signature.count / 2
        guard let pair = unsafe ECDSA_SIG_new() else { throw BenchmarkError("No memory.") }
        defer { unsafe ECDSA_SIG_free(pair) }
        let numbers = unsafe signature.withUnsafeBufferPointer { bytes in
            unsafe (
                BN_bin2bn(bytes.baseAddress, Int32(half), nil),
                BN_bin2bn(bytes.baseAddress.map { unsafe $0 + half }, Int32(half), nil)
            )
        }
        guard unsafe ECDSA_SIG_set0(pair, numbers.0, numbers.1) == 1 else { throw BenchmarkError("No memory.") }
        var der = [UInt8](repeating: 0, count: 160)
        let count = unsafe der.withUnsafeMutableBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe i2d_ECDSA_SIG(pair, &start)
        }
        return Array(der.prefix(Int(count)))
    }
}
