import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import ProviderNiantic

/// An app with the sample sign-in at a development identity service, without sockets; one clock for both stands still.
struct ServedApp: Sendable {
    let time = ManualTime()
    let issuer: DevIssuer
    let transport: StubTransport
    let provider: NianticProvider
    private let store: any TokenStore = InMemoryStore()

    /// Makes both; with `verifies` the app checks signatures by the keys that this service publishes.
    init(
        _ faults: [Fault] = [],
        verifies: Bool = false,
        change: (inout DevNianticOptions) -> Void = { _ in }
    ) throws {
        let time = self.time
        var options = DevIssuerOptions(time: time)
        options.algorithm = .es256
        options.hasKeyForEachAlgorithm = false
        options.faults = faults
        change(&options.niantic)
        let issuer = try DevIssuer(origin: "http://127.0.0.1:9999", options: options)
        self.issuer = issuer
        transport = StubTransport { request in try Self.carry(request, to: issuer, time) }
        var configuration = NianticConfiguration()
        configuration.identityURL = issuer.url
        configuration.signInURL = issuer.url + "/signin"
        configuration.signOutURL = issuer.url + "/signout"
        let check = verifies ? Self.check(issuer, time) : nil
        provider = try NianticProvider(configuration, transport: transport, check: check)
    }

    var id: CredentialID { provider.credentialID(slot: "work") }
    var context: ProviderContext { ProviderContext(time: time, deadline: Deadline(.seconds(120), from: time.now)) }

    /// A browser whose person signs in at once.
    var person: FetchingUserAgent {
        FetchingUserAgent(redirectURI: SampleApp.redirect, transport: transport)
    }

    var statistics: DevNianticStatistics { issuer.statistics.niantic }
    /// What the service made of each request for a token, such as `rotate granted`.
    var outcomes: [String] { statistics.exchanges.map { "\($0.step) \($0.outcome)" } }

    /// Signs in by the provider alone: step 1.
    func establish() async throws -> StoredCredential {
        let blank = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        let context = SignInContext(base: context, blank: blank, previous: nil, willRedeem: {})
        return try await provider.signIn(through: person, in: context).credential
    }

    /// Renews by the provider alone; what it commits on the way is kept.
    func renew(
        _ held: StoredCredential,
        _ kept: Recorder<StoredCredential> = Recorder()
    ) async throws -> StoredCredential {
        let context = RenewalContext(base: context, willSendOneTime: { _ in 0 }, commit: { kept.add($0) })
        switch try await provider.renew(held, for: TokenRequest(reason: .forced), in: context) {
        case .renewed(let credential): return credential
        case .declined(let reason): throw SampleApp.Declined(reason: reason)
        }
    }

    func vault() async throws -> Vault {
        try await Vault.open(store, keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
    }

    /// A session as another process would have it.
    func session() async throws -> Session {
        Session(id, provider: provider, vault: try await vault(), time: time)
    }

    /// Signs in through a session, which makes all three steps.
    func signIn() async throws { _ = try await session().signIn(through: person) }

    func stored() async throws -> StoredCredential? { try await vault().load(id)?.credential }

    /// Exchanges a service account's key for a token.
    func exchange(_ key: String = "dev-api-key") async throws -> HeldToken {
        let place = try KeyPlace()
        defer { place.remove() }
        let provider = try ServiceAccountProvider(
            ServiceAccount(name: "a", keyFile: try place.write(key)),
            configuration: provider.configuration,
            transport: transport
        )
        let id = provider.credentialID(slot: "key")
        return try await Session(id, provider: provider, vault: try await vault(), time: time).token().token
    }

    /// Asks the app's own back end for a token.
    func askBackend() async throws -> HeldToken {
        var configuration = BackendConfiguration(url: issuer.url + "/api/access-token")
        let bearer = "Bearer \(issuer.options.niantic.backendToken.reveal())"
        configuration.fields = [HTTPField("Authorization", secret: Secret(bearer))]
        let provider = try BackendProvider(configuration, transport: transport)
        let id = provider.credentialID(slot: "backend")
        return try await Session(id, provider: provider, vault: try await vault(), time: time).token().token
    }

    /// What is left of a token of a credential, as this machine's clock shows it; nil where nobody knows.
    func life(_ token: HeldToken?, of held: StoredCredential) -> Duration? {
        guard let token, case .lasts(let rest) = held.expiry(of: token).remaining(at: time.now) else { return nil }
        return rest
    }

    /// Hands a request to the service; slow answers move the clock on, within the request's deadline.
    private static func carry(_ request: HTTPRequest, to issuer: DevIssuer, _ time: ManualTime) throws -> HTTPResponse {
        var fields = request.fields
        var body: [UInt8] = []
        switch request.body {
        case .bytes(let bytes, let type), .secretBytes(let bytes, let type):
            fields.append(HTTPField("Content-Type", type))
            body = bytes
        default: break
        }
        let target = request.url.path + (request.url.query.map { "?\($0)" } ?? "")
        let answer = issuer.answer(ServerRequest(method: request.method, target: target, fields: fields, body: body))
        switch answer.manner {
        case .plain, .slowly: break
        case .delayed(let wait):
            time.advance(by: min(wait, request.deadline))
            guard wait <= request.deadline else { throw timedOut }
        case .never: throw timedOut
        case .dropped:
            throw TransportError(.connectionLost, delivery: .sentNoAnswer, detail: "The connection was lost.")
        }
        return HTTPResponse(
            status: answer.response.status,
            fields: answer.response.fields,
            body: answer.response.body,
            url: request.url,
            receivedAt: time.now
        )
    }

    private static var timedOut: TransportError {
        TransportError(.timedOut, delivery: .sentNoAnswer, detail: "There was no answer in time.")
    }

    /// Checks the signature of a token of either kind.
    private static func check(_ issuer: DevIssuer, _ time: ManualTime) -> TokenCheck {
        { token, _ in
            let request = ServerRequest(method: "GET", target: "/jwks", fields: [], body: [])
            let keys = try JWKSet(parsing: issuer.answer(request).response.body)
            let policy = JWTPolicy(algorithms: [.es256], issuer: issuer.url + "/oauth/token", audience: "nsdk")
            _ = try JWTVerifier(policy: policy).verify(token.reveal(), with: keys, at: time.now.wall)
        }
    }
}
