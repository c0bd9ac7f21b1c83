/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// Digests bytes into 32.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] { MessageDigest.sha256.digest(bytes) }
}
