import COpenSSL

// @unchecked: the buffer has exactly one owner and is written only before the value exists and after it ended;
// in between it is read only, so any thread may read it or take it over.

/// Key bytes in memory of their own, wiped when the value ends.
///
/// It cannot be copied by accident, compares in constant time, and has no description.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let buffer: UnsafeMutableRawBufferPointer
    private let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    /// Copies bytes; the source is left as it is.
    public init(copying bytes: [UInt8]) {
        self.init(count: bytes.count)
        unsafe buffer.copyBytes(from: bytes)
    }

    /// Copies bytes, then wipes and empties the source.
    ///
    /// Only the array given is wiped: copies that were made of it before are not.
    public init(wiping bytes: inout [UInt8]) {
        self.init(copying: bytes)
        ConstantTime.wipe(&bytes)
        bytes = []
    }

    /// Takes a buffer over; it is wiped and then released when the value ends.
    package init(
        owning buffer: UnsafeMutableRawBufferPointer,
        release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
    ) {
        unsafe self.buffer = buffer
        unsafe self.release = release
    }

    init(count: Int) {
        unsafe self.init(owning: .allocate(byteCount: count, alignment: 16)) { unsafe $0.deallocate() }
        _ = unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        unsafe release(buffer)
    }

    /// Draws random bytes that are fit for a key.
    public static func random(count: Int) throws(CryptoError) -> SecretBytes {
        guard (0...Int(Int32.max)).contains(count) else {
            throw CryptoError(.invalidInput, "Ask for between 0 and 2147483647 random bytes.")
        }
        let secret = SecretBytes(count: count)
        guard unsafe count == 0 || RAND_priv_bytes(secret.buffer.baseAddress, Int32(count)) == 1 else {
            throw .drain("RAND_priv_bytes")
        }
        return secret
    }

    /// Fills a new value by a closure that says whether it succeeded; nil when it did not.
    static func filled(count: Int, _ fill: (UnsafeMutablePointer<UInt8>?) -> Bool) -> SecretBytes? {
        let secret = SecretBytes(count: count)
        guard unsafe fill(secret.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)) else { return nil }
        return secret
    }

    /// Keeps what a closure puts into a buffer of a capacity, which is wiped; it says how many bytes that are.
    static func filled<Failure: Error>(
        upTo capacity: Int,
        _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> SecretBytes {
        let room = SecretBytes(count: capacity)
        let count = try unsafe fill(room.buffer)
        let secret = SecretBytes(count: count)
        unsafe secret.buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: room.buffer[..<count]))
        return secret
    }

    /// How many bytes there are.
    public var count: Int { unsafe buffer.count }

    /// Lends the bytes for the length of a call.
    public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(buffer))
    }

    /// Lends the bytes for the length of a call, with their bounds.
    borrowing func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(buffer).bindMemory(to: UInt8.self).span)
    }

    /// Compares in constant time for a given length.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe count == 0 || CRYPTO_memcmp(buffer.baseAddress, other.buffer.baseAddress, count) == 0
    }

    /// Makes a second value with the same bytes.
    public borrowing func copy() -> SecretBytes {
        let twin = SecretBytes(count: count)
        unsafe twin.buffer.copyMemory(from: UnsafeRawBufferPointer(buffer))
        return twin
    }
}
