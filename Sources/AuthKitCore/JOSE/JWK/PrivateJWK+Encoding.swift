extension PrivateJWK {
    /// Reads a private key from PEM text with one unencrypted block: PKCS#8, PKCS#1 or SEC 1.
    ///
    /// `malformed` when it is not a usable key, and for one that is encrypted.
    public init(pem: String, keyID: String? = nil) throws(JWTError) {
        var block = try JWK.readingKey { () throws(CryptoError) in try PEM.read(Array(pem.utf8)) }
        defer { ConstantTime.wipe(&block.bytes) }
        guard ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"].contains(block.label) else {
            throw JWTError(.malformed, "The PEM text holds no private key.")
        }
        try self.init(der: block.bytes, keyID: keyID)
    }

    /// Reads a private key from DER: PKCS#8, PKCS#1 or SEC 1; `malformed` when it is not a usable one.
    public init(der: [UInt8], keyID: String? = nil) throws(JWTError) {
        var members = try JWK.readingKey { () throws(CryptoError) in
            try EVPKey.decode(der, as: .privateKey).privateMembers()
        }
        members["kid"] = keyID.map(JSONValue.string)
        try self.init(members)
    }

    /// The key as JSON **with its private members**: whoever reads it can sign and decrypt.
    public func privateMembers() throws(JWTError) -> JSONObject {
        var material = publicKey.material
        if let evp {
            material = try JWK.readingKey { () throws(CryptoError) in try evp.privateMembers() }
        }
        var members = publicKey.described(material)
        members["key_ops"] = operations.map(JSONValue.strings)
        return members
    }

    /// The key as PKCS#8 in PEM text (PRIVATE KEY, RFC 7468 §10), **not encrypted**.
    ///
    /// `key_mismatch` for a symmetric key, and for an RSA key of `d` alone.
    public func privatePEM() throws(JWTError) -> String {
        var der = try privateDER()
        defer { ConstantTime.wipe(&der) }
        return try JWK.readingKey { () throws(CryptoError) in try PEM.write("PRIVATE KEY", der) }
    }

    /// The key as PKCS#8 in DER (RFC 5958 §2), **not encrypted**; the caller wipes it.
    ///
    /// `key_mismatch` for a symmetric key, and for an RSA key of `d` alone.
    public func privateDER() throws(JWTError) -> [UInt8] {
        guard let evp else {
            throw JWTError(.keyMismatch, "A symmetric key has no PEM or DER form; keep it as a JWK.")
        }
        // RFC 8017 Appendix A.1.2: an RSAPrivateKey has its primes.
        guard evp.kind != .rsa || evp.has(.rsaP) else {
            throw JWTError(.keyMismatch, "An RSA key without its primes has no PEM or DER form; keep it as a JWK.")
        }
        return try JWK.readingKey { () throws(CryptoError) in try evp.privateDER() }
    }
}
