/// What tells the access tokens of one credential apart.
public struct AccessTokenKey: Sendable, Hashable {
    /// The audience asked for.
    public let audience: String?
    /// The scope asked for, empty for all that was granted.
    public let scope: Scope
    /// The resource indicators asked for.
    public let resources: [String]

    /// Makes a key.
    public init(audience: String? = nil, scope: Scope = Scope(""), resources: [String] = []) {
        self.audience = audience
        self.scope = scope
        self.resources = resources
    }

    /// The key of the token that sign-in brings.
    public static let primary = AccessTokenKey()
}
