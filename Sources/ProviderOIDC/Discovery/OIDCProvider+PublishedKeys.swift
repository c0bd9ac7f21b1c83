package import AuthKitCore

extension OIDCProvider {
    /// Finds an issuer's keys by its discovery document, which must name that issuer.
    ///
    /// Takes an issuer or the full address of its document, and gives the issuer back as it names itself. The keys
    /// themselves are not fetched yet. Throws `OIDCError`, `KeySetError`, or what the transport throws.
    package static func publishedKeys(
        of issuer: String,
        transport: any HTTPTransport,
        tls: TLSOptions = TLSOptions(),
        in context: ProviderContext
    ) async throws -> (issuer: String, keys: RemoteJWKSet) {
        // Nothing is asked of the issuer as a client.
        var configuration = OIDCConfiguration(issuer: issuer, clientID: "none")
        configuration.tls = tls
        let provider = try OIDCProvider(configuration, transport: transport, time: context.time)
        let metadata = try await provider.metadata(in: context)
        guard let name = metadata.issuer else { throw OIDCError.configuration("The issuer is not known; name it.") }
        let url = try metadata.url(\.jwksURI, named: "jwks_uri")
        return (name, try RemoteJWKSet(url, transport: transport, time: context.time, tls: tls))
    }
}
