/// One token that is held: its value, how it is presented, how long it lives and what it is good for.
public struct HeldToken: Sendable, Hashable {
    /// The token.
    public var value: Secret
    /// How it is presented, as the server wrote it: `Bearer`, `DPoP`; compared without case (RFC 6749 §5.1).
    public var type: String
    /// When it ends.
    public var expiry: Expiry
    /// The scope granted, where known.
    public var scope: Scope?

    /// Makes a token.
    public init(_ value: Secret, type: String = "Bearer", expiry: Expiry = .unknown, scope: Scope? = nil) {
        self.value = value
        self.type = type
        self.expiry = expiry
        self.scope = scope
    }

    /// Names this token without revealing it.
    public var fingerprint: TokenFingerprint { TokenFingerprint(of: value) }
}
