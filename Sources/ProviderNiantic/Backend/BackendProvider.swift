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
        let own = try ownFields()
        let asked = try await makeRequest(own, in: context.base)
        let secrets = asked.fields.filter(\.isSecret).flatMap { field in
            [Secret(field.value)] + field.value.split(separator: " ").dropFirst().map { Secret(String($0)) }
        }
        let sentAt = context.base.time.now
        let response = try await transport.send(asked)
        let access = try BackendAnswer(configuration, secrets: secrets).token(in: response)
        var credential = held
        credential.accessTokens[request.key] = access
        credential.attributes[TokenFingerprint.sourceAttribute] = source(own)
        credential.clockOffset = ClockOffset.learned(from: response, sentAt: sentAt) ?? held.clockOffset
        credential.renewedAt = response.receivedAt
        return .renewed(credential)
    }

    /// Whether what is held came for the fields that would be sent now; true as well while their file cannot be read.
    ///
    /// What `credentials` would bring is not looked at.
    public func isCurrent(_ held: StoredCredential) -> Bool {
        guard let source = held.attributes[TokenFingerprint.sourceAttribute] else { return true }
        do {
            return try self.source(ownFields()) == source
        } catch {
            return true  // A token that lives serves on; the next request says what is wrong with the file.
        }
    }

    /// What the back end knows of its users' tokens ends there.
    public func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }

    /// What the configuration and its file have the back end sent; that decides whose token comes.
    private func ownFields() throws(NianticError) -> [HTTPField] {
        guard let path = configuration.fieldFile else { return configuration.fields }
        // Loose modes are taken only where the configuration says so, for mounts that have none of their own.
        return try configuration.fields
            + FieldFile.fields(path, insecureFileModes: configuration.insecureFileModes)
    }

    private func source(_ fields: [HTTPField]) -> String {
        let body = configuration.method == .post ? String(decoding: configuration.body.serialized(), as: UTF8.self) : ""
        // Another member of the answer may hold another token.
        let asked = [configuration.tokenField, body] + fields.map { "\($0.name): \($0.value)" }
        return TokenFingerprint(of: Secret(asked.joined(separator: "\n"))).word
    }

    private func makeRequest(_ own: [HTTPField], in context: ProviderContext) async throws -> HTTPRequest {
        var fields = [HTTPField("Accept", "application/json")] + own
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
