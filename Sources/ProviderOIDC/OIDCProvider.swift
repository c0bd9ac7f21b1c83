public import AuthKitCore

/// The OpenID Connect relying party: authorization code with PKCE, verified ID tokens, refresh, revocation, logout.
///
/// Holds its configuration and transport and no tokens. Nothing of an answer is used before it was checked. Of one
/// whose ID token failed, the rotated refresh token is kept; nothing else is.
public final class OIDCProvider: InteractiveTokenProvider {
    /// What the app is at the issuer.
    public let configuration: OIDCConfiguration
    /// How its tokens are renewed.
    public let traits = ProviderTraits()

    let transport: any HTTPTransport
    let time: any TimeSource
    let address: IssuerAddress?
    let known = KnownIssuer()

    /// Checks the configuration without the network; throws `invalid_configuration` naming the setting.
    public init(
        _ configuration: OIDCConfiguration,
        transport: any HTTPTransport,
        time: any TimeSource = SystemTime()
    ) throws(OIDCError) {
        try configuration.validate()
        self.configuration = configuration
        self.transport = transport
        self.time = time
        address = configuration.issuer.flatMap { IssuerAddress($0) }
    }

    /// OpenID Connect.
    public var kind: ProviderKind { .oidc }

    var tokenEndpoint: TokenEndpoint { TokenEndpoint(configuration: configuration, transport: transport) }

    /// How long one step of a sign-out may take.
    static let stepLimit = Duration.seconds(5)

    /// The same call with the time that one step of a sign-out may take.
    func step(of context: ProviderContext) -> ProviderContext {
        let limit = limit(in: context, atMost: Self.stepLimit)
        return ProviderContext(time: context.time, deadline: Deadline(limit, from: context.time.now))
    }

    /// How long one request may take: what is left of the call, half a minute at most.
    func limit(in context: ProviderContext, atMost most: Duration = .seconds(30)) -> Duration {
        min(most, context.deadline.remaining(at: context.time.now))
    }
}
