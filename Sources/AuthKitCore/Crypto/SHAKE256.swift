import COpenSSL

/// SHAKE256 (FIPS 202), the function whose output is as long as one asks.
package enum SHAKE256 {
    /// Digests bytes into so many.
    package static func digest(_ bytes: [UInt8], count: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        let isDone =
            unsafe context != nil && EVP_DigestInit_ex2(context, FetchedAlgorithm.shake256.pointer, nil) == 1
            && EVP_DigestUpdate(context, bytes, bytes.count) == 1 && EVP_DigestFinalXOF(context, &digest, count) == 1
        // As with SHA-2: nobody could go on safely, and only a broken libcrypto that has Ed448 has no SHAKE256.
        precondition(isDone, "libcrypto must provide SHAKE256: repair the libssl3 package")
        return digest
    }
}
