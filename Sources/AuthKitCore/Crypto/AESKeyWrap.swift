/// AES Key Wrap with its standard initial value (RFC 3394).
package struct AESKeyWrap: Sendable, Hashable {
    /// How much longer a wrapped key is.
    package static let growth = 8

    /// The size of the key that wraps.
    package let keySize: AESKeySize

    /// Chooses a key size.
    package init(_ keySize: AESKeySize) {
        self.keySize = keySize
    }

    /// Wraps a key, whose length must be a multiple of eight and at least sixteen (RFC 3394 §2).
    package func wrap(
        _ secret: borrowing SecretBytes,
        with key: borrowing SecretBytes
    ) throws(CryptoError) -> [UInt8] {
        guard secret.count >= 16, secret.count % 8 == 0 else {
            throw CryptoError(.invalidInput, "AES Key Wrap takes keys of sixteen bytes or more, in steps of eight.")
        }
        let context = try CipherContext.make(.keyWrap(keySize), key: key, iv: nil, encrypting: true)
        var output = [UInt8](repeating: 0, count: secret.count + CipherContext.growth)
        let written = unsafe secret.withUnsafeBytes { bytes in
            unsafe output.withUnsafeMutableBytes { unsafe context.run(bytes, into: $0) }
        }
        guard written == secret.count + Self.growth else { throw .drain("EVP_EncryptUpdate") }
        return Array(output.prefix(secret.count + Self.growth))
    }

    /// Unwraps what `wrap` made; any failure is `authentication_failed`.
    package func unwrap(
        _ wrapped: [UInt8],
        with key: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        let refusal = CryptoError(.authenticationFailed, "The wrapped key does not belong to this key.")
        guard key.count == keySize.byteCount, wrapped.count >= 24, wrapped.count % 8 == 0 else { throw refusal }
        let context = try CipherContext.make(.keyWrap(keySize), key: key, iv: nil, encrypting: false)
        return try unsafe SecretBytes.filled(upTo: wrapped.count + CipherContext.growth) {
            output throws(CryptoError) in
            let written = unsafe wrapped.withUnsafeBytes { unsafe context.run($0, into: output) }
            guard let written, written == wrapped.count - Self.growth else {
                CryptoError.discardQueue()
                throw refusal
            }
            return written
        }
    }
}
