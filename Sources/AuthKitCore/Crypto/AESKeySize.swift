/// The key sizes of AES (FIPS 197).
package enum AESKeySize: Sendable, Hashable {
    /// 128 bits.
    case aes128
    /// 192 bits.
    case aes192
    /// 256 bits.
    case aes256

    /// How many bytes a key has.
    package var byteCount: Int {
        switch self {
        case .aes128: 16
        case .aes192: 24
        case .aes256: 32
        }
    }
}
