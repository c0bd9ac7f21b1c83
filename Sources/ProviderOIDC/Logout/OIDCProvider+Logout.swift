public import AuthKitCore

extension OIDCProvider {
    /// The address at which the person's session at the issuer ends (OpenID Connect RP-Initiated Logout §2).
    ///
    /// Without an ID token the client's identifier and the redirect address stand for it. Nil where the issuer has no
    /// such endpoint.
    public func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest? {
        let metadata = try await metadata(held: held, in: context)
        guard metadata.endpoints.endSession != nil else { return nil }
        let endpoint = try metadata.url(\.endSession, named: "end_session_endpoint")
        // RP-Initiated Logout §2: client_id always, so that an issuer can do without the hint.
        var parameters = [FormParameter("client_id", configuration.clientID)]
        if let redirect = configuration.postLogoutRedirectURI {
            parameters.append(FormParameter("post_logout_redirect_uri", redirect))
            parameters.append(FormParameter("state", Base64URL.encode(try Random.bytes(16))))
        }
        guard let printable = endpoint.adding(parameters) else {
            throw OIDCError.configuration("The end-session endpoint or the redirect address cannot be used.")
        }
        guard let idToken = held.idToken?.value else {
            return EndSessionRequest(address: Secret(printable.text), printable: printable.text)
        }
        // OpenID Connect Core §2 and RP-Initiated Logout §2: an expired ID token is a hint all the same.
        guard let whole = endpoint.adding([FormParameter("id_token_hint", secret: idToken)] + parameters) else {
            return EndSessionRequest(address: Secret(printable.text), printable: printable.text)
        }
        return EndSessionRequest(address: Secret(whole.text), printable: printable.text)
    }
}
