/// The Concat KDF with SHA-256 (NIST SP 800-56A §5.8.1), as RFC 7518 §4.6.2 uses it.
enum ConcatKDF {
    /// Derives a key of a count of bytes for one algorithm and two parties.
    static func derive(
        from secret: borrowing SecretBytes,
        count: Int,
        algorithm: String,
        partyU: [UInt8],
        partyV: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard (1...1024).contains(count) else {
            throw CryptoError(.invalidInput, "The Concat KDF gives between 1 and 1024 bytes here.")
        }
        // RFC 7518 §4.6.2: each with its length in front, then the length of the key in bits.
        let info =
            prefixed(Array(algorithm.utf8)) + prefixed(partyU) + prefixed(partyV) + bigEndian(UInt32(count * 8))
        var parameters = ParameterList()
        parameters.add(.digest, text: MessageDigest.sha256.name)
        parameters.add(.kdfKey, secret: secret)
        parameters.add(.info, bytes: info)
        return try KeyDerivation.make(.concatKDF).derive(count: count, parameters)
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] { bigEndian(UInt32(bytes.count)) + bytes }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
