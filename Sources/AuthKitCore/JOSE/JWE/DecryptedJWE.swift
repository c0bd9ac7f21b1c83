/// A token that was decrypted: its content is what a holder of the key's public half, or of the shared key, sent.
///
/// Who that was is not known: with a public key anybody can encrypt. A signed token inside has to be verified.
public struct DecryptedJWE: Sendable {
    /// The header, which the content is bound to.
    public let header: JWEHeader
    /// The algorithm that brought the key.
    public let algorithm: JWEAlgorithm
    /// The encryption of the content.
    public let encryption: ContentEncryption
    /// The content.
    public let plaintext: [UInt8]
}

extension DecryptedJWE: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the algorithms; nothing of the content.
    public var description: String { "DecryptedJWE(\(algorithm), \(encryption), <redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
