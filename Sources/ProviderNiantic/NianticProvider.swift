public import AuthKitCore

/// Niantic's sample sign-in: a browser, then an exchange of three steps, each of whose tokens is kept.
///
/// What is held are the session token (companion `session`), the NSDK refresh token (`refresh`) and the NSDK access
/// token (`access`), each with its own end. The provider itself keeps none. A signature is not verified unless a
/// `TokenCheck` is given: no key set is published.
public final class NianticProvider: InteractiveTokenProvider {
    /// The name under which a credential keeps the session token.
    public static let sessionCompanion = "session"
    /// The attribute that names, by fingerprint, the token that the sign-in's callback brought.
    static let callbackAttribute = "niantic.callback"

    /// Where everything is.
    public let configuration: NianticConfiguration
    /// How its tokens are renewed.
    public let traits: ProviderTraits

    let endpoint: IdentityEndpoint
    let confirm: SignInConfirmation?
    let refused: SignInRefusal?
    let check: TokenCheck?

    /// Checks the configuration without the network; throws `invalid_configuration` naming the setting.
    ///
    /// `confirm` is asked before anything of a sign-in is sent; without it an account is taken as it comes, unless it
    /// is another one than the stored. `refused` is told of each callback that was taken and refused while the sign-in
    /// goes on waiting.
    public init(
        _ configuration: NianticConfiguration,
        transport: any HTTPTransport,
        confirm: SignInConfirmation? = nil,
        refused: SignInRefusal? = nil,
        check: TokenCheck? = nil
    ) throws(NianticError) {
        try configuration.validate()
        self.configuration = configuration
        self.confirm = confirm
        self.refused = refused
        self.check = check
        traits = ProviderTraits(refresh: configuration.refresh)
        endpoint = IdentityEndpoint(
            url: try IdentityAddress.url(configuration.identityURL),
            tls: configuration.tls,
            transport: transport,
            requestLimit: configuration.requestLimit,
            assumptions: configuration.assumptions
        )
    }

    /// Niantic.
    public var kind: ProviderKind { .niantic }

    /// Names the credential of a sign-in: one for a slot at an identity service.
    public func credentialID(slot: String) -> CredentialID {
        CredentialID(provider: kind, issuer: endpoint.url.text, client: "sample", slot: slot)
    }

    /// There is no request that revokes anything: what is held ends by itself, or by the browser sign-out.
    public func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] {
        Trace.note("The identity service has no revocation; its tokens end by themselves.")
        return []
    }

    /// The sign-out page, with the session token in its query as the vendor has it; nil where none is configured.
    ///
    /// Offered whenever a session token is held, whether it still lives or not: the page clears the browser's own
    /// tokens. The printable form has no token.
    public func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest? {
        guard let page = configuration.signOutURL else { return nil }
        let url = try NianticConfiguration.address(page, "sign-out URL")
        guard let token = held.companions[Self.sessionCompanion]?.value else { return nil }
        guard let whole = url.adding([FormParameter("refreshToken", secret: token)]) else {
            throw NianticError.configuration("The sign-out URL cannot be used with the session token.")
        }
        return EndSessionRequest(address: Secret(whole.text), printable: url.text)
    }
}
