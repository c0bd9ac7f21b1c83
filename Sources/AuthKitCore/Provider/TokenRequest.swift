/// What token is wanted, and why.
public struct TokenRequest: Sendable, Hashable {
    /// Why a new one may be fetched.
    public enum Reason: Sendable, Hashable {
        /// A held one that lives long enough will do.
        case expiring
        /// The caller insists on a new one.
        case forced
        /// This one was refused by a resource; any other held one will do.
        case rejected(TokenFingerprint)
    }

    /// The audience parameter some issuers know; part of the token's key.
    public var audience: String?
    /// A scope narrower than what was granted; empty for all of it.
    ///
    /// Part of the token's key.
    public var scope: Scope
    /// RFC 8707 resource indicators; part of the token's key.
    public var resources: [String]
    /// Why.
    public var reason: Reason

    /// Asks for a token; without arguments for the one that sign-in brings.
    public init(
        audience: String? = nil,
        scope: Scope = Scope(""),
        resources: [String] = [],
        reason: Reason = .expiring
    ) {
        self.audience = audience
        self.scope = scope
        self.resources = resources
        self.reason = reason
    }

    /// Which of a credential's access tokens answers this request.
    public var key: AccessTokenKey { AccessTokenKey(audience: audience, scope: scope, resources: resources) }
}
