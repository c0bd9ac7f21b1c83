import COpenSSL

/// Parameters for a libcrypto call, with storage of their own that is wiped at the end.
@safe
struct ParameterList: ~Copyable {
    private var storage: [UnsafeMutableRawBufferPointer] = unsafe []
    private var entries: [OSSL_PARAM] = unsafe []

    init() {}

    deinit {
        for index in unsafe storage.indices {
            unsafe OPENSSL_cleanse(storage[index].baseAddress, storage[index].count)
            unsafe storage[index].deallocate()
        }
    }

    mutating func add(_ name: ParameterName, text: String) {
        let copy = unsafe keep(Array(text.utf8) + [0])
        let characters = unsafe copy.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe entries.append(OSSL_PARAM_construct_utf8_string(name.pointer, characters, text.utf8.count))
    }

    mutating func add(_ name: ParameterName, bytes: [UInt8]) {
        let copy = unsafe keep(bytes)
        unsafe entries.append(OSSL_PARAM_construct_octet_string(name.pointer, copy.baseAddress, bytes.count))
    }

    mutating func add(_ name: ParameterName, secret: borrowing SecretBytes) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(secret.count, 1), alignment: 16)
        unsafe storage.append(copy)
        unsafe secret.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
        unsafe entries.append(OSSL_PARAM_construct_octet_string(name.pointer, copy.baseAddress, secret.count))
    }

    /// Adds an unsigned integer of any size, given in big-endian bytes as JWK and DER have it.
    mutating func add(_ name: ParameterName, bigEndian bytes: [UInt8]) {
        #if _endian(big)
        var native = bytes
        #else
        var native = Array(bytes.reversed())
        #endif
        let copy = unsafe keep(native)
        ConstantTime.wipe(&native)
        let start = unsafe copy.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe entries.append(OSSL_PARAM_construct_BN(name.pointer, start, bytes.count))
    }

    mutating func add(_ name: ParameterName, number: UInt64) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
        unsafe storage.append(copy)
        unsafe copy.storeBytes(of: number, as: UInt64.self)
        let start = unsafe copy.baseAddress?.assumingMemoryBound(to: UInt64.self)
        unsafe entries.append(OSSL_PARAM_construct_uint64(name.pointer, start))
    }

    /// Lends the list, ended as libcrypto wants it.
    borrowing func withPointer<Result>(_ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Result) -> Result {
        var ended = unsafe entries
        unsafe ended.append(OSSL_PARAM_construct_end())
        return unsafe body(&ended)
    }

    private mutating func keep(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        unsafe storage.append(copy)
        unsafe copy.copyBytes(from: bytes)
        return unsafe copy
    }
}
