/// HKDF with SHA-256, extract and expand (RFC 5869).
///
/// Written out over one hash context: libcrypto's takes parameters by name and copies each, and makes contexts anew for
/// both of its steps, which costs more than the hashing.
package enum HKDF {
    private static let hashCount = MessageDigest.sha256.byteCount

    /// Derives a key; the count is between 1 and 255 × 32 (RFC 5869 §2.3).
    package static func derive(
        from key: borrowing SecretBytes,
        salt: [UInt8],
        info: [UInt8],
        count: Int
    ) throws(CryptoError) -> SecretBytes {
        guard (1...255 * hashCount).contains(count) else {
            throw CryptoError(.invalidInput, "HKDF with SHA-256 gives between 1 and 8160 bytes.")
        }
        let context = try HashContext.make(.sha256)
        var extracted = HashContext.Code(repeating: 0)
        defer { ConstantTime.wipe(&extracted) }
        // RFC 5869 §2.2: no salt is a salt of zeros, which is what HMAC makes of an empty key.
        try key.withSpan { key throws(CryptoError) in
            try context.authenticate(key, Span(), key: salt.span, into: &extracted)
        }
        // §2.3: T(n) is the HMAC of T(n-1), the info and n; the key is T(1), T(2) and so on as far as it goes.
        var next = HashContext.Code(repeating: 0)
        defer { ConstantTime.wipe(&next) }
        var output: [UInt8] = []
        output.reserveCapacity(count + hashCount)
        for block in 1...(count + hashCount - 1) / hashCount {
            let numbered = info + [UInt8(block)]
            var before = next
            defer { ConstantTime.wipe(&before) }
            try context.authenticate(
                before.span.extracting(first: block == 1 ? 0 : hashCount),
                numbered.span,
                key: extracted.span.extracting(first: hashCount),
                into: &next
            )
            for index in 0..<min(hashCount, count - output.count) { output.append(next[index]) }
        }
        return SecretBytes(wiping: &output)
    }
}
