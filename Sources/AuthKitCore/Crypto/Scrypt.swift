/// scrypt (RFC 7914), for keys from passphrases.
package enum Scrypt {
    /// Derives a key; `n` is a power of two greater than 1 (RFC 7914 §2).
    ///
    /// Fails with `limit_exceeded` before any work when 128 × r × (n + p + 2) bytes are more than the memory limit:
    /// parameters come from a file that somebody may have edited.
    package static func derive(
        password: borrowing SecretBytes,
        salt: [UInt8],
        n: UInt64,
        r: UInt32,
        p: UInt32,
        memoryLimit: Int,
        count: Int
    ) throws(CryptoError) -> SecretBytes {
        guard n > 1, n & (n - 1) == 0, r > 0, p > 0, UInt64(r) * UInt64(p) < 1 << 30, (1...1 << 20).contains(count)
        else {
            throw CryptoError(
                .invalidInput,
                "scrypt needs n as a power of two above 1, r and p above 0 and r × p below 2^30."
            )
        }
        let (blocks, addOverflows) = n.addingReportingOverflow(UInt64(p) + 2)
        let (memory, overflows) = blocks.multipliedReportingOverflow(by: 128 * UInt64(r))
        guard !addOverflows, !overflows, memoryLimit > 0, memory <= UInt64(memoryLimit) else {
            throw CryptoError(.limitExceeded, "These scrypt parameters need more than \(memoryLimit) bytes of memory.")
        }
        var parameters = ParameterList()
        parameters.add(.password, secret: password)
        parameters.add(.salt, bytes: salt)
        parameters.add(.scryptN, number: n)
        parameters.add(.scryptR, number: UInt64(r))
        parameters.add(.scryptP, number: UInt64(p))
        // Ours is the limit that counts; libcrypto's own count differs by a few blocks.
        parameters.add(.scryptMemory, number: memory + 1 << 20)
        return try KeyDerivation.make(.scrypt).derive(count: count, parameters)
    }
}
