/// The kind of provider a credential belongs to: `oidc`, `niantic`, or a name of your own.
public struct ProviderKind: Sendable, Hashable, CustomStringConvertible {
    /// The name, as written in records and configuration.
    public let name: String

    /// Names a kind.
    public init(_ name: String) {
        self.name = name
    }

    /// OpenID Connect.
    public static let oidc = ProviderKind("oidc")

    /// The name.
    public var description: String { name }
}
