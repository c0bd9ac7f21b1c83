internal import AuthKitCore

/// What is known of an issuer: from its discovery document, with the addresses given by hand put over it.
struct ProviderMetadata: Sendable, Hashable {
    /// The issuer, byte for byte.
    var issuer: String?
    /// Its addresses.
    var endpoints = OIDCEndpoints()
    /// `id_token_signing_alg_values_supported`.
    var idTokenAlgorithms: [String]?
    /// `token_endpoint_auth_methods_supported`, for messages.
    var authenticationMethods: [String]?
    /// `authorization_response_iss_parameter_supported` (RFC 9207 §3).
    var answersWithIssuer = false
    /// Whether RFC 8414's place was asked, so that there is no other document to look into.
    var includesOAuthDocument = false
    /// When the document was fetched; nil where there is none.
    var fetchedAt: WallTime?

    /// The same with addresses given by hand put over the discovered ones.
    func overridden(by given: OIDCEndpoints) -> ProviderMetadata {
        var result = self
        result.endpoints.authorization = given.authorization ?? endpoints.authorization
        result.endpoints.token = given.token ?? endpoints.token
        result.endpoints.userInfo = given.userInfo ?? endpoints.userInfo
        result.endpoints.endSession = given.endSession ?? endpoints.endSession
        result.endpoints.revocation = given.revocation ?? endpoints.revocation
        result.endpoints.introspection = given.introspection ?? endpoints.introspection
        result.endpoints.jwksURI = given.jwksURI ?? endpoints.jwksURI
        return result
    }

    /// The address under a metadata name; throws `missing_endpoint` where there is none.
    func url(_ path: KeyPath<OIDCEndpoints, String?>, named name: String) throws(OIDCError) -> WebURL {
        guard let address = endpoints[keyPath: path] else {
            throw OIDCError(
                .missingEndpoint,
                "The issuer names no \(name); set it in the configuration.",
                remedy: .fixConfiguration
            )
        }
        guard let url = WebURL(address), url.isSecureOrLoopback else {
            throw OIDCError(
                .missingEndpoint,
                "The issuer's \(name) is not an https URL; set it in the configuration.",
                remedy: .fixConfiguration
            )
        }
        return url
    }
}
