/// A compact JWS whose signature was checked, and nothing of its payload; only `JWTVerifier` makes one.
public struct VerifiedJWS: Sendable {
    /// The algorithm of the signature.
    public let algorithm: JWSAlgorithm
    /// The key that the signature is valid under.
    public let key: JWK
    private let parts: CompactJWS

    init(_ parts: CompactJWS, algorithm: JWSAlgorithm, key: JWK) {
        self.parts = parts
        self.algorithm = algorithm
        self.key = key
    }

    /// The header.
    public var header: JWSHeader { JWSHeader(checked: parts.headerMembers) }
    /// The payload as sent; it need not be JSON.
    public var payload: [UInt8] { parts.payload }
}

extension VerifiedJWS: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the type; nothing of the token, which may be a secret.
    public var description: String { "VerifiedJWS(<redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
