extension GeneratedKeyKind {
    /// What an algorithm of encryption needs: the smallest that it may be used with; P-256 for a key agreement.
    ///
    /// Nil for `dir`, whose key the content's encryption decides.
    public static func fit(for algorithm: JWEAlgorithm) -> Self? {
        switch algorithm.management {
        case .rsa: .rsa()
        case .agreement: .p256
        case .wrap(let wrap): .symmetric(byteCount: wrap.keySize.byteCount)
        case .direct: nil
        }
    }

    /// What an encryption of contents needs as a shared key.
    public static func fit(for encryption: ContentEncryption) -> Self {
        .symmetric(byteCount: encryption.keyCount)
    }
}
