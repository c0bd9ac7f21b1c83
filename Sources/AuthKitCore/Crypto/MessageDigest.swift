import COpenSSL

/// The SHA-2 digests that JOSE uses.
package enum MessageDigest: Sendable, Hashable {
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// How many bytes a digest has.
    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Digests bytes.
    package func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        var count: UInt32 = 0
        let status = unsafe EVP_Digest(bytes, bytes.count, &digest, &count, fetched.pointer, nil)
        // Nobody could go on safely with a digest that is none, and only a broken libcrypto has no SHA-2.
        precondition(status == 1 && Int(count) == byteCount, "libcrypto must provide SHA-2: repair the libssl3 package")
        return digest
    }

    var fetched: FetchedAlgorithm {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }

    /// The name by which libcrypto's parameters know it.
    var name: String {
        switch self {
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        }
    }
}
