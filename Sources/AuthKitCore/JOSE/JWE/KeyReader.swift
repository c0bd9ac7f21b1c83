/// Reads the content encryption key of one token.
struct KeyReader {
    private let algorithm: JWEAlgorithm
    private let encryption: ContentEncryption
    private let encryptedKey: [UInt8]
    private let agreement: (sender: EphemeralKey, parties: AgreementParties)?

    /// Takes what the header says; `malformed` when its key agreement is not one.
    init(
        _ header: JWEHeader,
        _ algorithm: JWEAlgorithm,
        _ encryption: ContentEncryption,
        encryptedKey: [UInt8]
    ) throws(JWTError) {
        self.algorithm = algorithm
        self.encryption = encryption
        self.encryptedKey = encryptedKey
        if case .agreement = algorithm.management {
            agreement = (try EphemeralKey(header["epk"]), try AgreementParties { header[$0] })
        } else {
            agreement = nil
        }
    }

    /// Whether a key may have been meant; for a key agreement it is on the curve of the sender's.
    func fits(_ key: EncryptionKey) -> Bool {
        guard key.fits(algorithm, encryption, .decrypting) else { return false }
        return agreement.map { $0.sender.kind == key.kind } ?? true
    }

    /// Reads the content encryption key: a random one when the token's cannot be had with this key.
    ///
    /// RFC 7516 §11.5: so the content is decrypted all the same, and fails all the same, whatever was wrong.
    func contentKey(for key: EncryptionKey) throws(CryptoError) -> SecretBytes {
        let substitute = try SecretBytes.random(count: encryption.keyCount)
        guard let found = try? unwrap(with: key), found.count == encryption.keyCount else { return substitute }
        return found
    }

    private func unwrap(with key: EncryptionKey) throws(CryptoError) -> SecretBytes {
        switch algorithm.management {
        case .rsa(let oaep):
            if let pair = key.evp { return try oaep.decrypt(encryptedKey, with: pair) }
        case .agreement(let wrap):
            if let pair = key.evp, let agreement {
                let agreed = try AgreedKey.derive(
                    own: pair,
                    peer: agreement.sender.evp,
                    agreement.parties,
                    algorithm,
                    encryption
                )
                return if let wrap { try wrap.unwrap(encryptedKey, with: agreed) } else { agreed }
            }
        case .wrap(let wrap):
            if let shared = key.symmetric { return try wrap.unwrap(encryptedKey, with: shared.bytes) }
        case .direct:
            if let shared = key.symmetric { return shared.bytes.copy() }
        }
        throw CryptoError(.invalidInput, "The key is of another kind than the algorithm needs.")
    }
}
