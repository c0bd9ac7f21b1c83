public import AuthKitCore

/// The production flow of a client: the app's own back end hands out the NSDK access token.
///
/// The client never talks to the identity service. Renewal is the same request again. How the app's user is known to
/// the back end is the app's affair: by fields in the configuration, in a file, or from `credentials`.
public struct BackendProvider: TokenProvider {
    /// Makes the fields that tell the back end who asks; each is to be made secret.
    public typealias Credentials = @Sendable () async throws -> [HTTPField]

    /// The back end.
    public let configuration: BackendConfiguration
    /// How its tokens are renewed; a worker without the app skips it where `credentials` are asked for.
    public let traits: ProviderTraits

    private let url: WebURL
    private let transport: any HTTPTransport
    private let credentials: Credentials?

    /// Checks the configuration without the network; throws `invalid_configuration`.
    public init(
        _ configuration: BackendConfiguration,
        transport: any HTTPTransport,
        credentials: Credentials? = nil
    ) throws(NianticError) {
        url = try NianticConfiguration.address(configuration.url, "back end's URL")
        guard configuration.requestLimit > .zero, !configuration.tokenField.isEmpty else {
            throw .configuration("The back end's token field must be named and its request limit positive.")
        }
        self.configuration = configuration
        self.transport = transport
        self.credentials = credentials
        traits = ProviderTraits(
            refresh: configuration.refresh,
            needsCallback: credentials != nil,
            needsSignIn: false
        )
    }

    /// Niantic.
    public var kind: ProviderKind { .niantic }

    /// Names the credential: one for a slot at a back end.
    public func credentialID(slot: String) -> CredentialID {
        CredentialID(provider: kind, issuer: url.origin + url.path, client: "backend", slot: slot)
    }

    /// Asks the back end for a token.
    public func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        let asked = try await makeRequest(in: context.base)
        let secrets = asked.fields.filter(\.isSecret).flatMap { field in
            [Secret(field.value)] + field.value.split(separator: " ").dropFirst().map { Secret(String($0)) }
        }
        let sentAt = context.base.time.now
        let response = try await transport.send(asked)
        let access = try BackendAnswer(configuration, secrets: secrets).token(in: response)
        var credential = held
        credential.accessTokens[request.key] = access
        credential.clockOffset = ClockOffset.learned(from: response, sentAt: sentAt) ?? held.clockOffset
        credential.renewedAt = response.receivedAt
        return .renewed(credential)
    }

    /// What the back end knows of its users' tokens ends there.
    public func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }

    private func makeRequest(in context: ProviderContext) async throws -> HTTPRequest {
        var fields = [HTTPField("Accept", "application/json")] + configuration.fields
        if let path = configuration.fieldFile {
            fields += try FieldFile.fields(path, insecureFileModes: configuration.insecureFileModes)
        }
        if let credentials { fields += try await credentials() }
        var request = HTTPRequest(configuration.method.rawValue, url, fields: fields)
        if configuration.method == .post {
            request.body = .secretBytes(configuration.body.serialized(), contentType: "application/json")
        }
        request.deadline = min(configuration.requestLimit, context.deadline.remaining(at: context.time.now))
        request.idleDeadline = min(request.deadline, request.idleDeadline)
        request.bodyLimit = JSONAnswer.sizeLimit
        request.mayResend = configuration.method == .get
        request.redirects = .never
        request.tls = configuration.tls
        return request
    }
}
