extension JWE {
    /// Members of a header that the encryption itself writes, or that no reader here would accept.
    private static let ownMembers = ["alg", "enc", "epk", "zip", "crit", "b64", "iv", "tag", "p2s", "p2c"]

    /// Encrypts a content for the owner of a key.
    ///
    /// The header's `kid` is the key's unless one is given; `apu` and `apv` enter the key agreement. Fails with
    /// `key_mismatch` or `weak_key` for a key that is not for it, `malformed` for a header with members that are not
    /// its caller's, `too_large` for a content that would make a token beyond 1 MiB.
    public static func encrypt(
        _ plaintext: [UInt8],
        to key: JWK,
        algorithm: JWEAlgorithm,
        encryption: ContentEncryption,
        header: JSONObject = JSONObject()
    ) throws(JWTError) -> String {
        try encrypt(plaintext, to: EncryptionKey(key), algorithm, encryption, header)
    }

    /// Encrypts a content for who has the same symmetric key, or with the public half of a pair.
    public static func encrypt(
        _ plaintext: [UInt8],
        to key: PrivateJWK,
        algorithm: JWEAlgorithm,
        encryption: ContentEncryption,
        header: JSONObject = JSONObject()
    ) throws(JWTError) -> String {
        let own = key.isSymmetric ? EncryptionKey(key) : EncryptionKey(key.publicKey)
        return try encrypt(plaintext, to: own, algorithm, encryption, header)
    }

    private static func encrypt(
        _ plaintext: [UInt8],
        to key: EncryptionKey,
        _ algorithm: JWEAlgorithm,
        _ encryption: ContentEncryption,
        _ members: JSONObject
    ) throws(JWTError) -> String {
        guard key.fits(algorithm, encryption, .encrypting) else {
            throw JWTError(.keyMismatch, "The key is not one for \(algorithm) with \(encryption); choose another.")
        }
        guard !key.isWeak else { throw JWTError(.weakKey, "Use an RSA key of at least 2048 bits.") }
        guard plaintext.count <= CompactJWE.byteLimit else { throw tooLarge }
        var header: JSONObject = ["alg": .string(algorithm.name), "enc": .string(encryption.name)]
        header["kid"] = key.keyID.map(JSONValue.string)
        for member in members.members {
            guard !ownMembers.contains(where: member.name.hasSameBytes) else {
                throw JWTError(.malformed, "Leave \(member.name) out of the header; it is not the caller's to set.")
            }
            header[member.name] = member.value
        }
        do {
            let made = try makeKey(for: key, algorithm, encryption, &header)
            let protected = Base64URL.encode(header.serialized())
            // What we write must be what we would read.
            _ = try JWEHeader(parsing: header.serialized())
            let iv = try Random.bytes(encryption.ivCount)
            let sealed = try encryption.seal(
                plaintext,
                key: made.content,
                iv: iv,
                authenticating: Array(protected.utf8)
            )
            let parts = [
                made.encrypted, iv, Array(sealed.dropLast(encryption.tagCount)),
                Array(sealed.suffix(encryption.tagCount)),
            ]
            let token = parts.reduce(protected) { $0 + "." + Base64URL.encode($1) }
            guard token.utf8.count <= CompactJWE.byteLimit else { throw tooLarge }
            return token
        } catch let error as JWTError {
            throw error
        } catch {
            throw JWTError(.cannotVerify, "The token could not be encrypted: \(error)", cause: error)
        }
    }

    private struct MadeKey: ~Copyable {
        let content: SecretBytes
        let encrypted: [UInt8]
    }

    /// Makes the content encryption key and writes it for its reader (RFC 7516 §5.1 steps 1 to 8).
    private static func makeKey(
        for key: EncryptionKey,
        _ algorithm: JWEAlgorithm,
        _ encryption: ContentEncryption,
        _ header: inout JSONObject
    ) throws -> MadeKey {
        switch algorithm.management {
        case .direct:
            guard let shared = key.symmetric else { throw wrongKind }
            return MadeKey(content: shared.bytes.copy(), encrypted: [])
        case .wrap(let wrap):
            guard let shared = key.symmetric else { throw wrongKind }
            let content = try SecretBytes.random(count: encryption.keyCount)
            let encrypted = try wrap.wrap(content, with: shared.bytes)
            return MadeKey(content: content, encrypted: encrypted)
        case .rsa(let oaep):
            guard let reader = key.evp else { throw wrongKind }
            let content = try SecretBytes.random(count: encryption.keyCount)
            let encrypted = try oaep.encrypt(content, for: reader)
            return MadeKey(content: content, encrypted: encrypted)
        case .agreement(let wrap):
            guard let reader = key.evp else { throw wrongKind }
            let own = try ephemeralKey(of: key.kind)
            header["epk"] = .object(try own.publicMembers())
            let parties = try AgreementParties { [header] in header[$0] }
            let agreed = try AgreedKey.derive(own: own, peer: reader, parties, algorithm, encryption)
            guard let wrap else { return MadeKey(content: agreed, encrypted: []) }
            let content = try SecretBytes.random(count: encryption.keyCount)
            let encrypted = try wrap.wrap(content, with: agreed)
            return MadeKey(content: content, encrypted: encrypted)
        }
    }

    /// RFC 7518 §4.6: a new one for every token.
    private static func ephemeralKey(of kind: KeyKind) throws -> EVPKey {
        switch kind {
        case .ec(let curve): try EVPKey.generate("EC", group: curve.name)
        case .x25519: try EVPKey.generate("X25519")
        default: throw wrongKind
        }
    }

    private static var wrongKind: JWTError {
        JWTError(.keyMismatch, "The key is of another kind than the algorithm needs.")
    }

    private static var tooLarge: JWTError {
        JWTError(.tooLarge, "The token would be larger than \(CompactJWE.byteLimit) bytes.")
    }
}
