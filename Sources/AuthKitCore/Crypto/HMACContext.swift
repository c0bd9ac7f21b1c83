import COpenSSL

/// An HMAC computation with its key set, owned; it may be used again and again.
///
/// It is made of the two hashes of RFC 2104 §2, each of which begins with a block that the key alone decides, hashed
/// here once: a sixth less than what EVP_MAC costs, which asks for its own parameters with each code.
@safe
struct HMACContext: ~Copyable {
    private let digest: MessageDigest
    /// The inner hash behind its first block.
    private let inner: OpaquePointer?
    /// The outer hash behind its first block.
    private let outer: OpaquePointer?
    private let work: OpaquePointer?

    private init(
        _ digest: MessageDigest,
        owningInner inner: OpaquePointer?,
        owningOuter outer: OpaquePointer?,
        owningWork work: OpaquePointer?
    ) {
        self.digest = digest
        unsafe (self.inner, self.outer, self.work) = (inner, outer, work)
    }

    deinit {
        unsafe EVP_MD_CTX_free(inner)
        unsafe EVP_MD_CTX_free(outer)
        unsafe EVP_MD_CTX_free(work)
    }

    static func make(_ digest: MessageDigest, key: borrowing SecretBytes) throws(CryptoError) -> HMACContext {
        let context = unsafe HMACContext(
            digest,
            owningInner: EVP_MD_CTX_new(),
            owningOuter: EVP_MD_CTX_new(),
            owningWork: EVP_MD_CTX_new()
        )
        guard unsafe context.inner != nil && context.outer != nil && context.work != nil else {
            throw .drain("EVP_MD_CTX_new")
        }
        let isReady = key.withSpan { key in
            HMACBlock.lend(digest, key: key) { block in
                unsafe context.begin(context.inner, with: block)
            } outer: { block in
                unsafe context.begin(context.outer, with: block)
            }
        }
        guard isReady else { throw .drain("EVP_DigestInit_ex2") }
        return context
    }

    private borrowing func begin(_ hash: OpaquePointer?, with block: Span<UInt8>) -> Bool {
        unsafe EVP_DigestInit_ex2(hash, digest.fetched.pointer, nil) == 1
            && block.withUnsafeBufferPointer { unsafe EVP_DigestUpdate(hash, $0.baseAddress, $0.count) } == 1
    }

    /// Lends the code of a message; nil when libcrypto fails.
    borrowing func withCode<Result>(of message: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result? {
        var code: InlineArray<64, UInt8> = .init(repeating: 0)
        return unsafe withUnsafeMutableBytes(of: &code) { room in
            defer { unsafe OPENSSL_cleanse(room.baseAddress, room.count) }
            let code = unsafe UnsafeRawBufferPointer(rebasing: room[..<digest.byteCount])
            let isDone = unsafe message.withUnsafeBytes { unsafe finish(inner, with: $0, into: room) }
            guard unsafe isDone && finish(outer, with: code, into: room) else { return nil }
            return unsafe body(Span(_unsafeBytes: code))
        }
    }

    /// Ends a copy of a hash with more bytes.
    private borrowing func finish(
        _ begun: OpaquePointer?,
        with bytes: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var count: UInt32 = 0
        let start = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe EVP_MD_CTX_copy_ex(work, begun) == 1
            && EVP_DigestUpdate(work, bytes.baseAddress, bytes.count) == 1
            && EVP_DigestFinal_ex(work, start, &count) == 1 && Int(count) == digest.byteCount
    }
}
