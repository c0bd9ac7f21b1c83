import COpenSSL

/// Random bytes for nonces, states and identifiers; keys come from `SecretBytes.random`.
package enum Random {
    /// Draws bytes.
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard (0...Int(Int32.max)).contains(count) else {
            throw CryptoError(.invalidInput, "Ask for between 0 and 2147483647 random bytes.")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe count == 0 || RAND_bytes(&bytes, Int32(count)) == 1 else { throw .drain("RAND_bytes") }
        return bytes
    }
}
