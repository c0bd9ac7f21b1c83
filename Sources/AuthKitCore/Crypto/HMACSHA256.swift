import COpenSSL

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// Makes the 32-byte code of a message.
    package static func code(of message: [UInt8], key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        var parameters = ParameterList()
        parameters.add(.digest, text: MessageDigest.sha256.name)
        let context = try Context.make()
        guard
            unsafe parameters.withPointer({ list in
                unsafe key.withUnsafeBytes { bytes in
                    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    return unsafe EVP_MAC_init(context.pointer, start, bytes.count, list)
                }
            }) == 1
        else { throw .drain("EVP_MAC_init") }
        guard unsafe EVP_MAC_update(context.pointer, message, message.count) == 1 else {
            throw .drain("EVP_MAC_update")
        }
        var code = [UInt8](repeating: 0, count: 32)
        var count = 0
        guard unsafe EVP_MAC_final(context.pointer, &code, &count, code.count) == 1, count == code.count else {
            throw .drain("EVP_MAC_final")
        }
        return code
    }

    @safe
    private struct Context: ~Copyable {
        let pointer: OpaquePointer

        private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

        deinit { unsafe EVP_MAC_CTX_free(pointer) }

        static func make() throws(CryptoError) -> Context {
            guard let pointer = unsafe EVP_MAC_CTX_new(FetchedAlgorithm.hmac.pointer) else {
                throw .drain("EVP_MAC_CTX_new")
            }
            return unsafe Context(owning: pointer)
        }
    }
}
