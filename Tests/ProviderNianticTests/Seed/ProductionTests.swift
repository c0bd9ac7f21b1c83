import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "How this sample relates to production": the four differences, item by item.
@Suite(.timeLimit(.minutes(1))) struct ProductionTests {
    /// Where tokens come from, with the times at which it was asked for them.
    private struct Source: Sendable {
        let access: NSDKAccess
        let time: ManualTime
        let asked: Recorder<Moment>
        /// The names of its first token, and of the next.
        let tokens: [String]
    }

    static let renewing = ["sample", "service-account", "backend"]

    private static let address = "https://api.app.example/access-token"

    private func vault() async throws -> Vault {
        try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
    }

    private func access(_ session: Session, _ time: ManualTime) -> NSDKAccess {
        NSDKAccess(session, scheduler: RefreshScheduler(time: time), time: time)
    }

    /// The app's own back end, whose tokens live ten minutes.
    private func backend(_ time: ManualTime, _ asked: Recorder<Moment>) -> StubTransport {
        StubTransport { request in
            asked.add(time.now)
            let token = SampleToken.make("backend", asked.all.count, ends: time.now.wall + .seconds(600))
            return .stub(request, body: #"{"accessToken":"\#(token)","expiresIn":600}"#, at: time.now)
        }
    }

    private func client(
        _ transport: StubTransport,
        _ time: ManualTime,
        credentials: BackendProvider.Credentials? = nil
    ) async throws -> Session {
        let provider = try BackendProvider(
            BackendConfiguration(url: Self.address),
            transport: transport,
            credentials: credentials
        )
        return Session(provider.credentialID(slot: "app"), provider: provider, vault: try await vault(), time: time)
    }

    /// One source by its name, each of whose tokens lives ten minutes, but the developer's.
    private func source(_ name: String, _ place: KeyPlace) async throws -> Source {
        let asked = Recorder<Moment>()
        let service = IdentityService()
        let time = service.time
        service.script { script in
            script.accessLifetime = .seconds(600)
            script.before = { _ in asked.add(time.now) }
        }
        let session: Session
        let tokens: [String]
        switch name {
        case "sample":
            let app = try SampleApp(service)
            session = try await app.session()
            _ = try await session.signIn(through: app.person())
            tokens = ["access-1", "access-2"]
        case "service-account":
            var configuration = NianticConfiguration()
            configuration.identityURL = IdentityService.url
            let provider = try ServiceAccountProvider(
                ServiceAccount(name: "app", keyFile: try place.write("key-1")),
                configuration: configuration,
                transport: service.transport
            )
            let id = provider.credentialID(slot: "app")
            session = Session(id, provider: provider, vault: try await vault(), time: time)
            tokens = ["access-1", "access-2"]
        case "developer-token":
            let text = SampleToken.make("developer", 1, subject: nil, ends: time.now.wall + .seconds(30 * 86_400))
            let provider = DeveloperTokenProvider(path: try place.write(text, to: "token"))
            let id = provider.credentialID(slot: "app")
            session = Session(id, provider: provider, vault: try await vault(), time: time)
            tokens = ["developer-1", "developer-1"]
        default:
            session = try await client(backend(time, asked), time)
            tokens = ["backend-1", "backend-2"]
        }
        return Source(access: access(session, time), time: time, asked: asked, tokens: tokens)
    }

    // MARK: 1. Login flow

    @Test func `login flow: the app's own identity takes the place of the browser login`() async throws {
        let time = ManualTime()
        let transport = backend(time, Recorder())
        let session = try await client(
            transport,
            time,
            credentials: { [HTTPField("Authorization", secret: Secret("Bearer own-login"))] }
        )
        let access = access(session, time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        let report = try await access.login()
        #expect(report.tokenFailure == nil)
        #expect(sink.given == ["backend-1"])
        try #require(transport.requests.count == 1)
        #expect(transport.requests[0].url.text == Self.address)
        #expect(transport.requests[0].fields.first(named: "authorization") == "Bearer own-login")
        let browser = ScriptedBrowser(redirect: SampleApp.redirect, callbacks: [])
        await #expect {
            try await access.login(through: browser)
        } throws: { ($0 as? SessionError)?.reason == .interactionUnsupported }
        #expect(browser.urls.isEmpty)
        #expect(sink.given == ["backend-1"])
        await subscription.cancel()
    }

    @Test func `login flow: who is not logged in to the app gets no token until then`() async throws {
        struct NotLoggedIn: Error {}
        let time = ManualTime()
        let transport = backend(time, Recorder())
        let logins = Recorder<String>()
        let session = try await client(
            transport,
            time,
            credentials: {
                guard let login = logins.all.last else { throw NotLoggedIn() }
                return [HTTPField("Authorization", secret: Secret("Bearer \(login)"))]
            }
        )
        let access = access(session, time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await #expect(throws: (any Error).self) { try await access.login() }
        #expect(transport.requests.isEmpty)
        #expect(sink.given.isEmpty)
        logins.add("own-login")
        try await access.login()
        #expect(sink.given == ["backend-1"])
        #expect(transport.requests.map { $0.fields.first(named: "authorization") } == ["Bearer own-login"])
        await subscription.cancel()
    }

    // MARK: 2. Token exchange

    /// A back end that exchanges the key of its caller's tenant.
    private func tenantBackend(_ service: IdentityService, _ place: KeyPlace) async throws -> StubTransport {
        var configuration = NianticConfiguration()
        configuration.identityURL = IdentityService.url
        let pool = ServiceAccountPool(
            configuration: configuration,
            transport: service.transport,
            vault: try await vault(),
            time: service.time
        )
        let (acme, beta) = (try place.write("key-1"), try place.write("key-2", to: "other"))
        try await pool.add(ServiceAccount(name: "app", tenant: "acme", keyFile: acme))
        try await pool.add(ServiceAccount(name: "app", tenant: "beta", keyFile: beta))
        return StubTransport { request in
            let tenant = request.fields.first(named: "x-tenant") ?? ""
            let token = try await pool.token(of: "app", tenant: tenant).token.value.reveal()
            return .stub(request, body: #"{"accessToken":"\#(token)","expiresIn":3600}"#, at: service.time.now)
        }
    }

    @Test func `token exchange: the back end uses a service account, and each tenant has its own`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let service = IdentityService()
        let transport = try await tenantBackend(service, place)
        var names: [String?] = []
        for tenant in ["acme", "beta", "acme"] {
            let session = try await client(
                transport,
                service.time,
                credentials: { [HTTPField("X-Tenant", secret: Secret(tenant))] }
            )
            names.append(SampleToken.name(of: try await session.token().token))
        }
        #expect(names == ["access-1", "access-2", "access-1"])
        #expect(service.grants == ["exchange_api_key_access_token", "exchange_api_key_access_token"])
        let keys = service.requests.map { IdentityService.body($0)["apiKey"]?.string }
        #expect(keys == ["key-1", "key-2"])
    }

    @Test func `token exchange: the client receives the access token alone`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let service = IdentityService()
        let transport = try await tenantBackend(service, place)
        let configuration = BackendConfiguration(url: Self.address)
        let tenant = [HTTPField("X-Tenant", secret: Secret("acme"))]
        let provider = try BackendProvider(configuration, transport: transport, credentials: { tenant })
        let vault = try await vault()
        let id = provider.credentialID(slot: "app")
        _ = try await Session(id, provider: provider, vault: vault, time: service.time).token()
        let held = try #require(try await vault.load(id)?.credential)
        #expect(held.accessTokens.count == 1)
        #expect(SampleToken.name(of: held.accessTokens[.primary]) == "access-1")
        #expect(held.refreshToken == nil && held.idToken == nil)
        #expect(held.companions.isEmpty && held.keys.isEmpty)
        // What the client sends has neither a key nor a token of the exchange.
        let request = try #require(transport.requests.first)
        #expect(request.method == "GET" && request.body == nil)
        #expect(Set(request.fields.map(\.name)) == ["Accept", "X-Tenant"])
    }

    // MARK: 3. Refresh pattern

    @Test(arguments: renewing)
    func `refresh pattern: a new token is pushed before the end, whatever the source`(_ name: String) async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let source = try await source(name, place)
        let sink = TokenSink()
        let subscription = await source.access.subscribe(sink)
        #expect(await source.access.start() == nil)
        let began = source.time.now
        let before = source.asked.all.count
        await ClockWalk.steps(source.time, for: .seconds(520))
        #expect(source.asked.all.count == before)
        #expect(sink.given == [source.tokens[0]])
        await ClockWalk.steps(source.time, for: .seconds(30))
        await sink.wait(for: 2)
        #expect(sink.given == source.tokens)
        let renewed = try #require(source.asked.all.dropFirst(before).first)
        let age = renewed.since(began)
        #expect(age > .seconds(520) && age <= .seconds(550))
        #expect(await !source.access.isAccessExpiredOrExpiringSoon())
        await source.access.stop()
        await subscription.cancel()
    }

    @Test(arguments: renewing)
    func `refresh pattern: the client's own check of the end is the same`(_ name: String) async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let source = try await source(name, place)
        await source.access.start()
        await source.access.stop()
        source.time.advance(by: .seconds(539))
        #expect(await !source.access.isAccessExpiredOrExpiringSoon())
        source.time.advance(by: .seconds(1))
        #expect(await source.access.isAccessExpiredOrExpiringSoon())
        #expect(await source.access.isAuthorized)
    }

    // MARK: 4. Passing the NSDK access token

    @Test func `passing the token: one consumer takes whatever token by the same call`() async throws {
        let sink = TokenSink()
        for name in Self.renewing + ["developer-token"] {
            let place = try KeyPlace()
            defer { place.remove() }
            let source = try await source(name, place)
            let subscription = await source.access.subscribe(sink)
            #expect(await source.access.start() == nil)
            await source.access.stop()
            let info = try #require(await source.access.authInfo)
            #expect(SampleToken.name(of: info.token.reveal()) == source.tokens[0])
            await subscription.cancel()
        }
        #expect(sink.given == ["access-1", "access-1", "backend-1", "developer-1"])
    }
}
