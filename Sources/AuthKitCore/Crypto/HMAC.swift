/// HMAC (RFC 2104).
package enum HMAC {
    /// Makes the code of a message.
    package static func code(
        of message: [UInt8],
        key: borrowing SecretBytes,
        digest: MessageDigest
    ) throws(CryptoError) -> [UInt8] {
        let context = try HMACContext.make(digest, key: key)
        guard let code = unsafe context.withCode(of: message.span, { unsafe Array($0) }) else {
            throw .drain("EVP_DigestFinal_ex")
        }
        return code
    }
}
