import COpenSSL

/// An HMAC computation with its key set, owned; it may be used again and again.
@safe
struct HMACContext: ~Copyable {
    private let pointer: OpaquePointer
    private let byteCount: Int

    private init(owning pointer: OpaquePointer, byteCount: Int) {
        unsafe self.pointer = pointer
        self.byteCount = byteCount
    }

    deinit { unsafe EVP_MAC_CTX_free(pointer) }

    static func make(_ digest: MessageDigest, key: borrowing SecretBytes) throws(CryptoError) -> HMACContext {
        guard let raw = unsafe EVP_MAC_CTX_new(FetchedAlgorithm.hmac.pointer) else {
            throw .drain("EVP_MAC_CTX_new")
        }
        let context = unsafe HMACContext(owning: raw, byteCount: digest.byteCount)
        var parameters = ParameterList()
        parameters.add(.digest, text: digest.name)
        let status = unsafe parameters.withPointer { list in
            unsafe key.withUnsafeBytes { bytes in
                // A null pointer would mean "the key of before"; an empty key has a place of its own.
                var nothing: UInt8 = 0
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe bytes.isEmpty
                    ? EVP_MAC_init(context.pointer, &nothing, 0, list)
                    : EVP_MAC_init(context.pointer, start, bytes.count, list)
            }
        }
        guard status == 1 else { throw .drain("EVP_MAC_init") }
        return context
    }

    /// Lends the code of a message; nil when libcrypto fails.
    borrowing func withCode<Result>(of message: Span<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        var code: InlineArray<64, UInt8> = .init(repeating: 0)
        var count = 0
        let room = byteCount
        // Without a key the one that was set is used again.
        let isDone =
            unsafe EVP_MAC_init(pointer, nil, 0, nil) == 1
            && message.withUnsafeBufferPointer { unsafe EVP_MAC_update(pointer, $0.baseAddress, $0.count) } == 1
        guard isDone else { return nil }
        return unsafe withUnsafeMutableBytes(of: &code) { buffer in
            defer { unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count) }
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard unsafe EVP_MAC_final(pointer, start, &count, buffer.count) == 1, count == room else { return nil }
            return unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
