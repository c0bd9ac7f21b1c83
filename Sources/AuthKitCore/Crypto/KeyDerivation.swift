import COpenSSL

/// A libcrypto key derivation, owned.
@safe
struct KeyDerivation: ~Copyable {
    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_KDF_CTX_free(pointer) }

    static func make(_ algorithm: FetchedAlgorithm) throws(CryptoError) -> KeyDerivation {
        // EVP_KDF_CTX_new takes an EVP_KDF that may be missing; it then answers null.
        guard let pointer = unsafe EVP_KDF_CTX_new(algorithm.pointer) else { throw .drain("EVP_KDF_CTX_new") }
        return unsafe KeyDerivation(owning: pointer)
    }

    borrowing func derive(count: Int, _ parameters: borrowing ParameterList) throws(CryptoError) -> SecretBytes {
        let secret = unsafe SecretBytes.filled(count: count) { start in
            unsafe parameters.withPointer { unsafe EVP_KDF_derive(pointer, start, count, $0) == 1 }
        }
        guard let secret else { throw .drain("EVP_KDF_derive") }
        return secret
    }
}
