internal import AuthKitCore

extension ProviderMetadata {
    private typealias Path = any WritableKeyPath<OIDCEndpoints, String?> & Sendable

    private static let addresses: [(name: String, path: Path)] = [
        ("authorization_endpoint", \.authorization), ("token_endpoint", \.token), ("userinfo_endpoint", \.userInfo),
        ("end_session_endpoint", \.endSession), ("revocation_endpoint", \.revocation),
        ("introspection_endpoint", \.introspection), ("jwks_uri", \.jwksURI),
    ]

    /// Takes what is used from a discovery document (OpenID Connect Discovery §3, RFC 8414 §2).
    ///
    /// An address that is neither `https` nor, for an issuer on loopback, on loopback too is left out with a note.
    init(document: JSONObject, fetchedAt: WallTime) {
        issuer = document.text("issuer")
        let isLoopback = issuer.flatMap { WebURL($0) }?.isLoopback ?? false
        for (name, path) in Self.addresses {
            guard let address = document.text(name), !address.isEmpty else { continue }
            if let url = WebURL(address), url.scheme == "https" || (isLoopback && url.isLoopback) {
                endpoints[keyPath: path] = address
            } else {
                Trace.note("The issuer's \(name) is not an https URL and is left out.")
            }
        }
        idTokenAlgorithms = document.texts("id_token_signing_alg_values_supported")
        authenticationMethods = document.texts("token_endpoint_auth_methods_supported")
        answersWithIssuer = document["authorization_response_iss_parameter_supported"]?.bool ?? false
        self.fetchedAt = fetchedAt
    }

    /// The name of the attribute under which a credential keeps what later calls need.
    static let attribute = "oidc.metadata"
    private static let includesOAuthDocumentName = "includes_oauth_document"

    /// The text to be kept with a credential, for the issuer as configured; nil where nothing was discovered.
    func stored(for configured: String?) -> String? {
        guard let fetchedAt, let configured else { return nil }
        var object: JSONObject = ["configured": .string(configured), "fetched_at": .integer(fetchedAt.seconds)]
        object["issuer"] = issuer.map(JSONValue.string)
        for (name, path) in Self.addresses { object[name] = endpoints[keyPath: path].map(JSONValue.string) }
        object["id_token_signing_alg_values_supported"] = idTokenAlgorithms.map(JSONValue.strings)
        object["token_endpoint_auth_methods_supported"] = authenticationMethods.map(JSONValue.strings)
        if answersWithIssuer { object["authorization_response_iss_parameter_supported"] = true }
        if includesOAuthDocument { object[Self.includesOAuthDocumentName] = true }
        return String(decoding: object.serialized(), as: UTF8.self)
    }

    /// Reads what is kept with a credential; nil where it was kept for another issuer or cannot be read.
    init?(stored text: String?, for configured: String?) {
        guard let text, let configured, let object = JSONObject.reading(Array(text.utf8)),
            object.text("configured")?.hasSameBytes(as: configured) == true,
            let seconds = object["fetched_at"]?.int64
        else { return nil }
        self.init(document: object, fetchedAt: WallTime(seconds: seconds))
        includesOAuthDocument = object[Self.includesOAuthDocumentName]?.bool ?? false
    }
}
