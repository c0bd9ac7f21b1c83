/// One way to misbehave: where, how, and how many times.
public struct Fault: Sendable, Hashable {
    /// The place that misbehaves.
    public enum Point: String, Sendable, Hashable, CaseIterable {
        /// The metadata documents.
        case discovery
        /// The key set.
        case jwks
        /// The authorization endpoint.
        case authorize
        /// The token endpoint, when a code is redeemed.
        case token
        /// The token endpoint, when a refresh token is used.
        case refresh
        /// The userinfo endpoint.
        case userinfo
        /// The introspection endpoint.
        case introspect
        /// The revocation endpoint.
        case revoke
        /// The end-session endpoint.
        case endSession = "end-session"
    }

    /// Where.
    public var point: Point
    /// How.
    public var kind: FaultKind
    /// How many requests are met by it; nil for all.
    public var count: Int?

    /// Makes a fault; it happens once unless more is asked for.
    public init(_ point: Point, _ kind: FaultKind, count: Int? = 1) {
        self.point = point
        self.kind = kind
        self.count = count
    }
}
