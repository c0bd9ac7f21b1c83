extension JWK {
    /// Reads a public key from PEM text with one block: PUBLIC KEY, RSA PUBLIC KEY or CERTIFICATE (RFC 7468).
    ///
    /// A private key gives its public half. What a certificate says beside the key is not looked at. `malformed` when
    /// it is not a usable key.
    public init(pem: String, keyID: String? = nil) throws(JWTError) {
        let encoding: KeyEncoding
        let block = try Self.readingKey { () throws(CryptoError) in try PEM.read(Array(pem.utf8)) }
        switch block.label {
        case "PUBLIC KEY": encoding = .subjectPublicKeyInfo
        case "RSA PUBLIC KEY": encoding = .rsaPublicKey
        case "CERTIFICATE": encoding = .certificate
        case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY": encoding = .privateKey
        default: throw JWTError(.malformed, "The PEM text holds no key; use a PUBLIC KEY, PRIVATE KEY or CERTIFICATE.")
        }
        try self.init(Self.members(of: block.bytes, as: encoding, keyID: keyID))
    }

    /// Reads a public key from a SubjectPublicKeyInfo in DER (RFC 5280 §4.1); `malformed` when it is not a usable one.
    public init(der: [UInt8], keyID: String? = nil) throws(JWTError) {
        try self.init(Self.members(of: der, as: .subjectPublicKeyInfo, keyID: keyID))
    }

    /// The public key as PEM text (PUBLIC KEY); `key_mismatch` for a symmetric key, which has no such form.
    public func pem() throws(JWTError) -> String {
        let der = try der()
        return try Self.readingKey { () throws(CryptoError) in try PEM.write("PUBLIC KEY", der) }
    }

    /// The public key as a SubjectPublicKeyInfo in DER; `key_mismatch` for a symmetric key.
    public func der() throws(JWTError) -> [UInt8] {
        guard let evp = key.evp else {
            throw JWTError(.keyMismatch, "A symmetric key has no PEM or DER form; keep it as a JWK.")
        }
        return try Self.readingKey { () throws(CryptoError) in try evp.publicDER() }
    }

    private static func members(
        of der: [UInt8],
        as encoding: KeyEncoding,
        keyID: String?
    ) throws(JWTError) -> JSONObject {
        var members = try readingKey { () throws(CryptoError) in
            try EVPKey.decode(der, as: encoding).publicMembers()
        }
        members["kid"] = keyID.map(JSONValue.string)
        return members
    }

    static func readingKey<Result>(_ read: () throws(CryptoError) -> Result) throws(JWTError) -> Result {
        do {
            return try read()
        } catch {
            let isTold = error.code == .invalidInput || error.code == .limitExceeded
            let damaged = "The key's DER is damaged, cut off, or not one of a supported key; copy the whole of it."
            throw JWTError(.malformed, isTold ? error.detail : damaged, cause: error)
        }
    }
}

extension EVPKey {
    private func text(_ name: ParameterName, paddedTo count: Int? = nil) throws(CryptoError) -> JSONValue {
        var bytes = try integer(name, paddedTo: count)
        defer { ConstantTime.wipe(&bytes) }
        return .string(Base64URL.encode(bytes))
    }

    /// The public members of a JWK.
    func publicMembers() throws(CryptoError) -> JSONObject {
        switch kind {
        case .rsa: return ["kty": "RSA", "n": try text(.rsaN), "e": try text(.rsaE)]
        case .ec(let curve):
            let size = curve.coordinateCount
            return [
                "kty": "EC", "crv": .string(curve.name), "x": try text(.ecX, paddedTo: size),
                "y": try text(.ecY, paddedTo: size),
            ]
        case .some(let kind):
            guard let pair = kind.octetKeyPair else { break }
            let x = try rawPublicKey(count: pair.publicCount)
            return ["kty": "OKP", "crv": .string(pair.curve), "x": .string(Base64URL.encode(x))]
        case nil: break
        }
        throw CryptoError(.invalidInput, "The key's type is not supported; use RSA, EC, Ed25519, Ed448 or X25519.")
    }

    /// The public and private members of a JWK (RFC 7518 §6.2.2, §6.3.2; RFC 8037 §2).
    func privateMembers() throws(CryptoError) -> JSONObject {
        var members = try publicMembers()
        switch kind {
        case .rsa:
            members["d"] = try text(.rsaD)
            guard has(.rsaP) else { break }
            for (name, parameter) in PrivateJWK.rsaFactors { members[name] = try text(parameter) }
        case .ec(let curve): members["d"] = try text(.privateKey, paddedTo: curve.coordinateCount)
        case .some(let kind):
            guard let pair = kind.octetKeyPair else { break }
            var d = try rawPrivateKey(count: pair.privateCount)
            defer { ConstantTime.wipe(&d) }
            members["d"] = .string(Base64URL.encode(d))
        case nil: break
        }
        return members
    }
}
