import COpenSSL

/// The forms in which keys lie in DER.
///
/// RFC 5280 §4.1, RFC 5958, RFC 8017 Appendix A.1, RFC 5915.
enum KeyEncoding {
    case subjectPublicKeyInfo
    case rsaPublicKey
    case certificate
    /// PKCS#8, PKCS#1 and SEC 1, which tell themselves apart.
    case privateKey
}

extension EVPKey {
    /// Larger texts are not looked at.
    static let encodedLimit = 64 << 10

    /// Reads a key from DER that holds it and nothing else.
    static func decode(_ der: [UInt8], as encoding: KeyEncoding) throws(CryptoError) -> EVPKey {
        guard !der.isEmpty, der.count <= encodedLimit else {
            throw CryptoError(.limitExceeded, "The key is empty or larger than \(encodedLimit) bytes.")
        }
        var read = 0
        let raw = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            let raw = unsafe decode(&cursor, buffer.count, encoding)
            if let start = buffer.baseAddress, let end = unsafe cursor { read = unsafe end - start }
            return unsafe raw
        }
        let key = try unsafe adopt(raw, from: "the key's DER")
        guard read == der.count else {
            throw CryptoError(.invalidInput, "Something follows the key's end in its DER; remove it.")
        }
        return key
    }

    private static func decode(
        _ cursor: inout UnsafePointer<UInt8>?,
        _ count: Int,
        _ encoding: KeyEncoding
    ) -> OpaquePointer? {
        switch encoding {
        case .subjectPublicKeyInfo: return unsafe d2i_PUBKEY(nil, &cursor, count)
        case .rsaPublicKey: return unsafe d2i_PublicKey(EVP_PKEY_RSA, nil, &cursor, count)
        case .privateKey: return unsafe d2i_AutoPrivateKey(nil, &cursor, count)
        case .certificate:
            guard let certificate = unsafe d2i_X509(nil, &cursor, count) else { return nil }
            defer { unsafe X509_free(certificate) }
            return unsafe X509_get_pubkey(certificate)
        }
    }

    /// The public half as a SubjectPublicKeyInfo in DER.
    func publicDER() throws(CryptoError) -> [UInt8] {
        try unsafe Self.bytes("i2d_PUBKEY") { output in unsafe i2d_PUBKEY(self.pointer, output) }
    }

    /// Both halves as PKCS#8 in DER.
    func privateDER() throws(CryptoError) -> [UInt8] {
        guard let info = unsafe EVP_PKEY2PKCS8(pointer) else { throw .drain("EVP_PKEY2PKCS8") }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        return try unsafe Self.bytes("i2d_PKCS8_PRIV_KEY_INFO") { output in unsafe i2d_PKCS8_PRIV_KEY_INFO(info, output)
        }
    }

    private static func bytes(
        _ operation: String,
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
    ) throws(CryptoError) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe Int(encode(&output))
        guard count > 0, let start = unsafe output else { throw .drain(operation) }
        defer { unsafe CRYPTO_clear_free(start, count, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
