import COpenSSL

/// One AES-256-GCM operation under way, owned.
@safe
struct CipherContext: ~Copyable {
    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

    static func make(
        key: borrowing SecretBytes,
        nonce: [UInt8],
        encrypting: Bool
    ) throws(CryptoError) -> CipherContext {
        guard let raw = unsafe EVP_CIPHER_CTX_new() else { throw .drain("EVP_CIPHER_CTX_new") }
        let context = unsafe CipherContext(owning: raw)
        let status = unsafe key.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let cipher = unsafe FetchedAlgorithm.aes256GCM.pointer
            // The nonce length of GCM is 12 unless another is set, and callers have checked for 12.
            return unsafe EVP_CipherInit_ex2(context.pointer, cipher, start, nonce, encrypting ? 1 : 0, nil)
        }
        guard status == 1 else { throw .drain("EVP_CipherInit_ex2") }
        return context
    }

    borrowing func update(authenticating data: [UInt8]) -> Bool {
        var count: Int32 = 0
        return unsafe data.isEmpty || EVP_CipherUpdate(pointer, nil, &count, data, Int32(data.count)) == 1
    }

    /// Writes as many bytes as the input has; the output has room for them.
    borrowing func update(_ input: [UInt8], into output: inout [UInt8]) -> Bool {
        var count: Int32 = 0
        if input.isEmpty { return true }
        return unsafe EVP_CipherUpdate(pointer, &output, &count, input, Int32(input.count)) == 1
            && Int(count) == input.count
    }

    /// Ends the operation; when decrypting, false means that the tag does not fit.
    borrowing func finish() -> Bool {
        var rest = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        return unsafe EVP_CipherFinal_ex(pointer, &rest, &count) == 1 && count == 0
    }

    borrowing func readTag(_ tag: inout [UInt8]) -> Bool {
        let count = Int32(tag.count)
        return unsafe tag.withUnsafeMutableBytes { buffer in
            unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, count, buffer.baseAddress) == 1
        }
    }

    borrowing func setTag(_ tag: inout [UInt8]) -> Bool {
        let count = Int32(tag.count)
        return unsafe tag.withUnsafeMutableBytes { buffer in
            unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, count, buffer.baseAddress) == 1
        }
    }
}
