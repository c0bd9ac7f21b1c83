/// The key that ECDH-ES gives (RFC 7518 §4.6).
enum AgreedKey {
    /// Derives the content encryption key, or the key that wraps it.
    static func derive(
        own: EVPKey,
        peer: EVPKey,
        _ parties: AgreementParties,
        _ algorithm: JWEAlgorithm,
        _ encryption: ContentEncryption
    ) throws(CryptoError) -> SecretBytes {
        // RFC 7518 §4.6.2: the name and length of what the key is used with.
        let (name, count) =
            if case .agreement(let wrap?) = algorithm.management {
                (algorithm.name, wrap.keySize.byteCount)
            } else {
                (encryption.name, encryption.keyCount)
            }
        return try ConcatKDF.derive(
            from: try KeyAgreement.sharedSecret(of: own, and: peer),
            count: count,
            algorithm: name,
            partyU: parties.partyU,
            partyV: parties.partyV
        )
    }
}
