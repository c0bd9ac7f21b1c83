import COpenSSL

/// SipHash-2-4 of 128 bits under a random key: tells texts apart even where others choose them.
package final class KeyedHash: Sendable {
    /// The hash of a text.
    package struct Value: Sendable, Hashable {
        let high: UInt64
        let low: UInt64
    }

    /// More contexts than this are not kept.
    private static let contextLimit = 16

    private let key: SecretBytes
    private let contexts = Guarded<[Context]>([])

    /// Draws a key.
    package init() throws(CryptoError) {
        key = try SecretBytes.random(count: 16)
    }

    /// Hashes bytes; nil when libcrypto fails.
    package func hash(_ bytes: Span<UInt8>) -> Value? {
        guard let context = contexts.withLock({ $0.popLast() }) ?? Context.make() else { return nil }
        guard let value = context.hash(bytes, key) else {
            CryptoError.discardQueue()
            return nil
        }
        contexts.withLock { if $0.count < Self.contextLimit { $0.append(context) } }
        return value
    }

    // @unchecked: a context is taken out of the pool by one caller, used by it alone and put back; nothing else
    // refers to it.
    @safe
    private final class Context: @unchecked Sendable {
        private let pointer: OpaquePointer

        private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

        deinit { unsafe EVP_MAC_CTX_free(pointer) }

        static func make() -> Context? {
            guard let pointer = unsafe EVP_MAC_CTX_new(FetchedAlgorithm.sipHash.pointer) else { return nil }
            // A new context gives the longest hash, 16 bytes; `hash` makes sure.
            return unsafe Context(owning: pointer)
        }

        func hash(_ bytes: Span<UInt8>, _ key: borrowing SecretBytes) -> Value? {
            var value = (UInt64(0), UInt64(0))
            var count = 0
            let isDone = unsafe key.withUnsafeBytes { key in
                let start = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe EVP_MAC_init(pointer, start, key.count, nil) == 1
                    && bytes.withUnsafeBufferPointer { unsafe EVP_MAC_update(pointer, $0.baseAddress, $0.count) } == 1
                    && withUnsafeMutableBytes(of: &value) { output in
                        let start = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                        return unsafe EVP_MAC_final(pointer, start, &count, output.count)
                    } == 1
            }
            return isDone && count == 16 ? Value(high: value.0, low: value.1) : nil
        }
    }
}

extension FetchedAlgorithm {
    fileprivate static let sipHash = unsafe FetchedAlgorithm(pointer: EVP_MAC_fetch(nil, "SIPHASH", nil))
}
