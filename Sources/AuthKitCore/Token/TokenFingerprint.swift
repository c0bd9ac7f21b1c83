/// Names a token without revealing it: the first 16 bytes of its SHA-256.
///
/// Fit for comparing and for sealed records; a token has far too much entropy to be guessed from it.
public struct TokenFingerprint: Sendable, Hashable {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// Fingerprints a token.
    public init(of token: Secret) {
        bytes = Array(SHA256.digest(Array(token.reveal().utf8)).prefix(16))
    }

    /// Takes stored bytes; nil unless they are 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }
}
