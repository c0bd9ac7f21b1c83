public import AuthKitCore

extension OIDCProvider {
    /// The address at which the person's session at the issuer ends (OpenID Connect RP-Initiated Logout §2).
    ///
    /// Without an ID token the client's identifier and the redirect address stand for it. Nil where the issuer has no
    /// such endpoint. Five seconds for discovery, where it is needed.
    public func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest? {
        let metadata = try await metadata(held: held, in: step(of: context))
        guard metadata.endpoints.endSession != nil else { return nil }
        let endpoint = try metadata.url(\.endSession, named: "end_session_endpoint")
        // RP-Initiated Logout §2: client_id always, so that an issuer can do without the hint.
        var parameters = [FormParameter("client_id", configuration.clientID)]
        var state: Secret?
        if let redirect = configuration.postLogoutRedirectURI {
            let drawn = Secret(Base64URL.encode(try Random.bytes(16)))
            parameters.append(FormParameter("post_logout_redirect_uri", redirect))
            parameters.append(FormParameter("state", secret: drawn))
            state = drawn
        }
        guard let printable = endpoint.adding(parameters) else {
            throw OIDCError.configuration("The end-session endpoint or the redirect address cannot be used.")
        }
        // OpenID Connect Core §2 and RP-Initiated Logout §2: an expired ID token is a hint all the same.
        let whole = held.idToken.flatMap { idToken in
            endpoint.adding([FormParameter("id_token_hint", secret: idToken.value)] + parameters)
        }
        return EndSessionRequest(address: Secret((whole ?? printable).text), printable: printable.text, state: state)
    }
}
