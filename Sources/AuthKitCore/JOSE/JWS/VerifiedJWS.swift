/// A compact JWS whose signature was checked, and nothing of its payload; only `JWTVerifier` makes one.
public struct VerifiedJWS: Sendable {
    /// The header.
    public let header: JWSHeader
    /// The algorithm of the signature.
    public let algorithm: JWSAlgorithm
    /// The key that the signature is valid under.
    public let key: JWK
    private let bytes: [UInt8]
    private let payloadRange: Range<Int>

    init(header: JWSHeader, algorithm: JWSAlgorithm, key: JWK, parts: CompactJWS) {
        self.header = header
        self.algorithm = algorithm
        self.key = key
        bytes = parts.bytes
        payloadRange = parts.payloadRange
    }

    /// The payload as sent; it need not be JSON.
    public var payload: [UInt8] { bytes.span.extracting(payloadRange).array() }
}

extension VerifiedJWS: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the type; nothing of the token, which may be a secret.
    public var description: String { "VerifiedJWS(<redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
