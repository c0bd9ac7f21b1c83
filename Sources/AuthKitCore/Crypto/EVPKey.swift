import COpenSSL

/// A key in libcrypto's hands.
// @unchecked: an EVP_PKEY is never changed after it was made and its reference count is atomic;
// each operation has a context of its own, so any number of threads may use one key.
@safe
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Makes a key of its parts, never through PEM or DER: that costs twenty times a whole verification.
    static func make(
        _ type: String,
        _ parameters: borrowing ParameterList,
        isPrivate: Bool
    ) throws(CryptoError) -> EVPKey {
        let context = try EVPKeyContext.make(type: type)
        guard unsafe EVP_PKEY_fromdata_init(context.pointer) == 1 else { throw .drain("EVP_PKEY_fromdata_init") }
        let selection = isPrivate ? ak_selection_pair() : ak_selection_public()
        var raw: OpaquePointer?
        let status = unsafe parameters.withPointer { list in
            unsafe EVP_PKEY_fromdata(context.pointer, &raw, selection, list)
        }
        guard status == 1, let raw = unsafe raw else { throw .drain("EVP_PKEY_fromdata") }
        return unsafe EVPKey(owning: raw)
    }

    /// Generates a pair; for RSA the size is in bits, for EC the group is named.
    static func generate(_ type: String, rsaBits: Int32? = nil, group: String? = nil) throws(CryptoError) -> EVPKey {
        let context = try EVPKeyContext.make(type: type)
        guard unsafe EVP_PKEY_keygen_init(context.pointer) == 1 else { throw .drain("EVP_PKEY_keygen_init") }
        if let rsaBits, unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context.pointer, rsaBits) != 1 {
            throw .drain("EVP_PKEY_CTX_set_rsa_keygen_bits")
        }
        if let group, unsafe EVP_PKEY_CTX_set_group_name(context.pointer, group) != 1 {
            throw .drain("EVP_PKEY_CTX_set_group_name")
        }
        var raw: OpaquePointer?
        guard unsafe EVP_PKEY_generate(context.pointer, &raw) == 1, let raw = unsafe raw else {
            throw .drain("EVP_PKEY_generate")
        }
        return unsafe EVPKey(owning: raw)
    }

    /// The size that a signature has at most, in bytes.
    var signatureCount: Int { Int(unsafe EVP_PKEY_get_size(pointer)) }

    /// The modulus size for RSA, the group's for EC.
    var bits: Int { Int(unsafe EVP_PKEY_get_bits(pointer)) }

    /// Reads an unsigned integer as big-endian bytes, padded in front to a count where one is given.
    func integer(_ name: ParameterName, paddedTo count: Int? = nil) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(pointer, name.pointer, &number) == 1, let number = unsafe number else {
            throw .drain("EVP_PKEY_get_bn_param")
        }
        defer { unsafe BN_clear_free(number) }
        let length = count ?? (Int(unsafe BN_num_bits(number)) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: length)
        guard unsafe BN_bn2binpad(number, &bytes, Int32(length)) == Int32(length) else { throw .drain("BN_bn2binpad") }
        return bytes
    }

    /// Reads the raw public key of Ed25519.
    func rawPublicKey(count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = count
        guard unsafe EVP_PKEY_get_raw_public_key(pointer, &bytes, &length) == 1, length == count else {
            throw .drain("EVP_PKEY_get_raw_public_key")
        }
        return bytes
    }
}
