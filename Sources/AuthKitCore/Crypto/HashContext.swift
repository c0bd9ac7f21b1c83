import COpenSSL

/// Hashes with one context, owned: one computation after the other, without asking for memory again.
@safe
struct HashContext: ~Copyable {
    /// Room for the longest digest.
    typealias Code = InlineArray<64, UInt8>

    private let digest: MessageDigest
    private let pointer: OpaquePointer

    private init(_ digest: MessageDigest, owning pointer: OpaquePointer) {
        self.digest = digest
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_MD_CTX_free(pointer) }

    static func make(_ digest: MessageDigest) throws(CryptoError) -> HashContext {
        guard let pointer = unsafe EVP_MD_CTX_new() else { throw .drain("EVP_MD_CTX_new") }
        return unsafe HashContext(digest, owning: pointer)
    }

    /// Makes the HMAC of a message in two parts, at the front of a code that the caller wipes.
    borrowing func authenticate(
        _ message: Span<UInt8>,
        _ more: Span<UInt8>,
        key: Span<UInt8>,
        into code: inout Code
    ) throws(CryptoError) {
        let isDone = HMACBlock.lend(digest, key: key) { block in
            begin() && add(block) && add(message) && add(more) && end(&code)
        } outer: { block in
            begin() && add(block) && add(code.span.extracting(first: digest.byteCount)) && end(&code)
        }
        guard isDone else { throw .drain("EVP_DigestFinal_ex") }
    }

    private borrowing func begin() -> Bool {
        unsafe EVP_DigestInit_ex2(pointer, digest.fetched.pointer, nil) == 1
    }

    private borrowing func add(_ bytes: Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { unsafe EVP_DigestUpdate(pointer, $0.baseAddress, $0.count) } == 1
    }

    private borrowing func end(_ code: inout Code) -> Bool {
        var count: UInt32 = 0
        let status = unsafe withUnsafeMutableBytes(of: &code) { room in
            unsafe EVP_DigestFinal_ex(pointer, room.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
        }
        return status == 1 && Int(count) == digest.byteCount
    }
}
