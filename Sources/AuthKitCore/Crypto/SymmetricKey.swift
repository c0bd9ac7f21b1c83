/// The bytes of a symmetric key, shared by all who hold the key and wiped with the last of them.
package final class SymmetricKey: Sendable {
    /// The bytes.
    package let bytes: SecretBytes

    /// Takes bytes over.
    package init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// How many bytes there are.
    package var count: Int { bytes.count }

    /// The bytes in base64url, as a JWK's `k` has them (RFC 7518 §6.4.1): the secret itself.
    var base64URL: String {
        var copy = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        defer { ConstantTime.wipe(&copy) }
        return Base64URL.encode(copy)
    }
}
