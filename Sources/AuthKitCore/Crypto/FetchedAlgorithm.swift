import COpenSSL

/// An algorithm fetched from libcrypto's provider once and kept for the life of the process.
// @unchecked: a fetched EVP_MD, EVP_MAC, EVP_KDF or EVP_CIPHER is immutable and reference counted with atomics;
// it is never freed here, and libcrypto allows its use from any thread.
@safe
struct FetchedAlgorithm: @unchecked Sendable {
    /// Nil when the provider does not have it.
    let pointer: OpaquePointer?

    static let sha256 = unsafe FetchedAlgorithm(pointer: EVP_MD_fetch(nil, "SHA2-256", nil))
    static let sha384 = unsafe FetchedAlgorithm(pointer: EVP_MD_fetch(nil, "SHA2-384", nil))
    static let sha512 = unsafe FetchedAlgorithm(pointer: EVP_MD_fetch(nil, "SHA2-512", nil))
    static let shake256 = unsafe FetchedAlgorithm(pointer: EVP_MD_fetch(nil, "SHAKE256", nil))
    static let scrypt = unsafe FetchedAlgorithm(pointer: EVP_KDF_fetch(nil, "SCRYPT", nil))
}
