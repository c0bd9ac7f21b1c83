/// What access tokens look like.
public enum AccessTokenForm: String, Sendable, Hashable, CaseIterable {
    /// A signed `at+jwt` (RFC 9068).
    case jwt
    /// Random text that only introspection explains.
    case opaque
}
