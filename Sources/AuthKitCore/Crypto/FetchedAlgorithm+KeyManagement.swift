import COpenSSL

extension FetchedAlgorithm {
    /// SHA-1, for the mask of RSA-OAEP alone, where collisions do not matter.
    static let sha1ForOAEP = unsafe FetchedAlgorithm(pointer: EVP_MD_fetch(nil, "SHA1", nil))
    /// The one-step derivation of NIST SP 800-56A §5.8.1, which JOSE calls Concat KDF.
    static let concatKDF = unsafe FetchedAlgorithm(pointer: EVP_KDF_fetch(nil, "SSKDF", nil))
}
