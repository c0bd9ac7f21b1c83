import COpenSSL

/// The context in which one key is made or used, owned.
@safe
struct EVPKeyContext: ~Copyable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }

    static func make(type: String) throws(CryptoError) -> EVPKeyContext {
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else {
            throw .drain("EVP_PKEY_CTX_new_from_name")
        }
        return unsafe EVPKeyContext(owning: pointer)
    }

    static func make(for key: EVPKey) throws(CryptoError) -> EVPKeyContext {
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else {
            throw .drain("EVP_PKEY_CTX_new_from_pkey")
        }
        return unsafe EVPKeyContext(owning: pointer)
    }
}
