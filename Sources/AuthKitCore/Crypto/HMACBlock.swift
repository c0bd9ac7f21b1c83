/// The first blocks of HMAC's two hashes, which the key alone decides (RFC 2104 §2); wiped when they were used.
enum HMACBlock {
    /// Lends the inner hash's block, then the outer one's; false when a closure answers so.
    static func lend(
        _ digest: MessageDigest,
        key: Span<UInt8>,
        inner: (Span<UInt8>) -> Bool,
        outer: (Span<UInt8>) -> Bool
    ) -> Bool {
        var block: InlineArray<128, UInt8> = .init(repeating: 0)
        defer { ConstantTime.wipe(&block) }
        // RFC 2104 §2: a key that is longer than a block is hashed; zeros follow a shorter one.
        if key.count <= digest.blockByteCount {
            for index in key.indices { block[index] = key[index] }
        } else {
            var key = key.array()
            var hash = digest.digest(key)
            for index in hash.indices { block[index] = hash[index] }
            ConstantTime.wipe(&key)
            ConstantTime.wipe(&hash)
        }
        for index in 0..<digest.blockByteCount { block[index] ^= 0x36 }
        guard inner(block.span.extracting(first: digest.blockByteCount)) else { return false }
        for index in 0..<digest.blockByteCount { block[index] ^= 0x36 ^ 0x5C }
        return outer(block.span.extracting(first: digest.blockByteCount))
    }
}

extension MessageDigest {
    /// How many bytes a block has that it works on (FIPS 180-4 §1).
    fileprivate var blockByteCount: Int {
        switch self {
        case .sha256: 64
        case .sha384, .sha512: 128
        }
    }
}
