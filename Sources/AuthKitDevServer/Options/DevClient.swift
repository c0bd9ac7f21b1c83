public import AuthKitCore

/// A client that is registered at the development issuer.
public struct DevClient: Sendable, Hashable {
    /// The client identifier.
    public var id: String
    /// The secret of a confidential client; nil makes a public one.
    public var secret: Secret?
    /// Where codes may be sent.
    ///
    /// Compared byte for byte, except that a loopback `http` address matches on any port (RFC 8252 §7.3), and that
    /// one whose path is `/*` matches any path too.
    public var redirectURIs: [String]
    /// Where a browser may be sent after sign-out; compared like `redirectURIs`.
    public var postLogoutRedirectURIs: [String]
    /// The scope tokens it may ask for; nil for any.
    public var scopes: [String]?
    /// How its ID tokens are signed, where that differs from the issuer's choice.
    public var algorithm: DevSigningAlgorithm?

    /// The redirect addresses of a client on this machine: loopback, and the scheme `dev.authkit.example`.
    public static let localRedirectURIs = [
        "http://127.0.0.1/*", "http://[::1]/*", "http://localhost/*", "dev.authkit.example:/callback",
    ]

    /// Registers a client; without a secret it is a public one.
    public init(
        id: String,
        secret: Secret? = nil,
        redirectURIs: [String] = Self.localRedirectURIs,
        postLogoutRedirectURIs: [String] = Self.localRedirectURIs + ["dev.authkit.example:/signed-out"]
    ) {
        self.id = id
        self.secret = secret
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
    }

    /// Whether a registered address covers one that was asked for.
    static func covers(_ registered: [String], _ asked: String) -> Bool {
        if registered.contains(where: { $0 == asked && !$0.hasSuffix("/*") }) { return true }
        // RFC 8252 §7.3: any port on loopback. Nothing else may differ; fragments are refused by `WebURL`.
        guard let asked = WebURL(asked), asked.scheme == "http", asked.isLoopback else { return false }
        return registered.lazy.compactMap(WebURL.init).contains { url in
            url.scheme == "http" && url.isLoopback && url.host == asked.host
                && (url.path == "/*" || (url.path == asked.path && url.query == asked.query))
        }
    }
}
