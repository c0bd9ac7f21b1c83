internal import AuthKitCore

/// One sign-in under way: what was sent, and what the answer must match.
///
/// Used once. The issuer's whole metadata is bound to it, so that a code goes to no other token endpoint than that of
/// the issuer which was asked (RFC 9700 §2.1, §4.4.2).
struct AuthorizationTransaction: ~Copyable {
    /// The issuer asked.
    let metadata: ProviderMetadata
    /// Where the answer comes to.
    let redirectURI: String
    /// What ties the answer to this browser; URL-safe, 256 bits.
    let state: Secret
    /// What ties the ID token to this sign-in; nil without `openid`.
    private let nonce: Secret?
    /// The PKCE verifier: 43 characters, 256 bits (RFC 7636 §4.1).
    private let verifier: Secret

    private init(metadata: ProviderMetadata, redirectURI: String, state: Secret, nonce: Secret?, verifier: Secret) {
        self.metadata = metadata
        self.redirectURI = redirectURI
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
    }

    /// Draws fresh values; throws when the system has no randomness to give.
    static func begin(
        metadata: ProviderMetadata,
        redirectURI: String,
        isOpenID: Bool
    ) throws -> AuthorizationTransaction {
        AuthorizationTransaction(
            metadata: metadata,
            redirectURI: redirectURI,
            state: try draw(),
            nonce: isOpenID ? try draw() : nil,
            verifier: try draw()
        )
    }

    private static func draw() throws -> Secret { Secret(Base64URL.encode(try Random.bytes(32))) }

    /// The URL to show the person.
    func url(_ configuration: OIDCConfiguration) throws(OIDCError) -> WebURL {
        let endpoint = try metadata.url(\.authorization, named: "authorization_endpoint")
        let challenge = Base64URL.encode(SHA256.digest(Array(verifier.reveal().utf8)))
        var parameters = [
            FormParameter("response_type", "code"),
            FormParameter("client_id", configuration.clientID),
            FormParameter("redirect_uri", redirectURI),
        ]
        if !configuration.scope.isEmpty { parameters.append(FormParameter("scope", "\(configuration.scope)")) }
        parameters.append(FormParameter("state", secret: state))
        if let nonce { parameters.append(FormParameter("nonce", secret: nonce)) }
        // RFC 7636 §4.2, RFC 9700 §2.1.1: S256, always.
        parameters.append(FormParameter("code_challenge", challenge))
        parameters.append(FormParameter("code_challenge_method", "S256"))
        if configuration.responseMode == .formPost { parameters.append(FormParameter("response_mode", "form_post")) }
        if let audience = configuration.audience { parameters.append(FormParameter("audience", audience)) }
        parameters += configuration.resources.map { FormParameter("resource", $0) }
        if !configuration.acrValues.isEmpty {
            parameters.append(FormParameter("acr_values", configuration.acrValues.joined(separator: " ")))
        }
        if let maxAge = configuration.maxAge {
            parameters.append(FormParameter("max_age", "\(maxAge.components.seconds)"))
        }
        if let prompt = configuration.prompt { parameters.append(FormParameter("prompt", prompt)) }
        if let hint = configuration.loginHint { parameters.append(FormParameter("login_hint", hint)) }
        parameters += configuration.extraParameters
        return try Self.join(endpoint, parameters)
    }

    /// Adds the parameters behind the endpoint's own query, from which those that are set here were taken out.
    private static func join(_ endpoint: WebURL, _ parameters: [FormParameter]) throws(OIDCError) -> WebURL {
        let names = Set(parameters.map(\.name))
        guard let own = endpoint.queryParameters else {
            throw .configuration("The authorization endpoint's own query cannot be read.")
        }
        // RFC 6749 §3.1: the endpoint's query is kept, and no parameter may come twice.
        guard names.isDisjoint(with: own.map(\.name)) else {
            let bare = WebURL(String(endpoint.text.prefix { $0 != "?" }))
            let kept = own.filter { !names.contains($0.name) }.map { FormParameter($0.name, $0.value) }
            guard let url = bare?.adding(kept + parameters) else {
                throw .configuration("The authorization endpoint cannot be used.")
            }
            return url
        }
        guard let url = endpoint.adding(parameters) else {
            throw .configuration("The authorization request is too long to be an address.")
        }
        return url
    }

    /// Checks the answer and gives out what redeems its code; nothing of it is used before.
    consuming func accept(_ answer: RedirectAnswer) throws(OIDCError) -> CodeGrant {
        let code = try AuthorizationAnswerCheck(
            state: state,
            issuer: metadata.issuer,
            isIssuerDue: metadata.answersWithIssuer
        )
        .code(in: answer)
        return CodeGrant(code: code, verifier: verifier, nonce: nonce, redirectURI: redirectURI, metadata: metadata)
    }
}
