import COpenSSL

/// One AES operation under way, owned.
@safe
struct CipherContext: ~Copyable {
    /// How many bytes an output may be longer than its input: one block.
    static let growth = 16

    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

    /// Sets a cipher up; key and IV must have the cipher's lengths, 12 for the IV of GCM, none for key wrapping.
    static func make(
        _ cipher: FetchedAlgorithm,
        key: borrowing SecretBytes,
        iv: [UInt8]?,
        encrypting: Bool
    ) throws(CryptoError) -> CipherContext {
        guard let raw = unsafe EVP_CIPHER_CTX_new() else { throw .drain("EVP_CIPHER_CTX_new") }
        let context = unsafe CipherContext(owning: raw)
        // libcrypto wants to be told that a cipher for wrapping keys is meant.
        unsafe EVP_CIPHER_CTX_set_flags(context.pointer, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        guard let fetched = unsafe cipher.pointer else { throw .drain("EVP_CIPHER_fetch") }
        guard unsafe Int(EVP_CIPHER_get_key_length(fetched)) == key.count,
            unsafe iv == nil || Int(EVP_CIPHER_get_iv_length(fetched)) == iv?.count
        else { throw CryptoError(.invalidInput, "The key or the IV does not have the length that the cipher takes.") }
        let status = unsafe key.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let iv else {
                return unsafe EVP_CipherInit_ex2(context.pointer, fetched, start, nil, encrypting ? 1 : 0, nil)
            }
            return unsafe EVP_CipherInit_ex2(context.pointer, fetched, start, iv, encrypting ? 1 : 0, nil)
        }
        guard status == 1 else { throw .drain("EVP_CipherInit_ex2") }
        return context
    }

    borrowing func update(authenticating data: [UInt8]) -> Bool {
        var count: Int32 = 0
        return unsafe data.isEmpty || EVP_CipherUpdate(pointer, nil, &count, data, Int32(data.count)) == 1
    }

    /// Turns the whole input into output and ends the operation; nil when a tag, padding or length does not fit.
    ///
    /// The output has room for `growth` more bytes than the input; says how many were written.
    borrowing func run(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        guard output.count >= input.count + Self.growth, input.count <= Int32.max - 16 else { return nil }
        let target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var (written, rest): (Int32, Int32) = (0, 0)
        // No input would be taken for the end of it, or, without a target, for more associated data.
        if unsafe !input.isEmpty {
            guard unsafe EVP_CipherUpdate(pointer, target, &written, source, Int32(input.count)) == 1 else {
                return nil
            }
        }
        guard let target = unsafe target, written >= 0,
            unsafe EVP_CipherFinal_ex(pointer, target + Int(written), &rest) == 1
        else { return nil }
        return Int(written) + Int(rest)
    }

    /// Turns the whole input into output, as above.
    borrowing func run(_ input: Span<UInt8>) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: input.count + Self.growth)
        let written = unsafe input.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBytes { unsafe run(source, into: $0) }
        }
        guard let written else {
            ConstantTime.wipe(&output)
            return nil
        }
        output.removeSubrange(written...)
        return output
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
