/// What one answer of a token endpoint brought (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
public struct TokenSet: Sendable, Hashable {
    /// The access token.
    public var access: HeldToken
    /// The refresh token, where one came.
    public var refresh: HeldToken?
    /// The ID token, where one came; believed only after validation.
    public var idToken: Secret?

    /// Makes a set.
    public init(access: HeldToken, refresh: HeldToken? = nil, idToken: Secret? = nil) {
        self.access = access
        self.refresh = refresh
        self.idToken = idToken
    }
}
