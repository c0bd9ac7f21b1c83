/// HMAC (RFC 2104).
package enum HMAC {
    /// Makes the code of a message.
    package static func code(
        of message: [UInt8],
        key: borrowing SecretBytes,
        digest: MessageDigest
    ) throws(CryptoError) -> [UInt8] {
        let context = try HashContext.make(digest)
        var code = HashContext.Code(repeating: 0)
        try key.withSpan { key throws(CryptoError) in
            try context.authenticate(message.span, Span(), key: key, into: &code)
        }
        return code.span.extracting(first: digest.byteCount).array()
    }
}
