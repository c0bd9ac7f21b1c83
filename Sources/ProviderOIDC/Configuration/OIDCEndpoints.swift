/// Addresses of an issuer given by hand; each goes before what discovery says.
public struct OIDCEndpoints: Sendable, Hashable {
    /// Where a browser signs in.
    public var authorization: String?
    /// Where codes and refresh tokens are exchanged.
    public var token: String?
    /// Where claims about the person are read.
    public var userInfo: String?
    /// Where a browser ends the person's session.
    public var endSession: String?
    /// Where tokens are revoked.
    public var revocation: String?
    /// Where tokens are looked up.
    public var introspection: String?
    /// Where the keys of ID tokens are published.
    public var jwksURI: String?

    /// Makes a set of addresses.
    public init(
        authorization: String? = nil,
        token: String? = nil,
        userInfo: String? = nil,
        endSession: String? = nil,
        revocation: String? = nil,
        introspection: String? = nil,
        jwksURI: String? = nil
    ) {
        self.authorization = authorization
        self.token = token
        self.userInfo = userInfo
        self.endSession = endSession
        self.revocation = revocation
        self.introspection = introspection
        self.jwksURI = jwksURI
    }

    /// The addresses that are given, by their metadata names.
    var named: [(name: String, address: String)] {
        [
            ("authorization_endpoint", authorization), ("token_endpoint", token), ("userinfo_endpoint", userInfo),
            ("end_session_endpoint", endSession), ("revocation_endpoint", revocation),
            ("introspection_endpoint", introspection), ("jwks_uri", jwksURI),
        ].compactMap { name, address in address.map { (name, $0) } }
    }
}
