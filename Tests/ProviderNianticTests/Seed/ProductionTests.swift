import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "How this sample relates to production": its four items, each by name.
@Suite(.timeLimit(.minutes(1))) struct ProductionTests {
    /// The app's own back end, which knows its users by a token of its own and has a service account.
    private func backend(_ service: IdentityService) -> StubTransport {
        let count = Recorder<String>()
        return StubTransport { request in
            guard let user = request.fields.first(named: "authorization")?.dropFirst("Bearer user-".count) else {
                return .stub(request, status: 401, body: #"{"error":"who?"}"#, at: service.time.now)
            }
            count.add(String(user))
            let end = service.time.now.wall + .seconds(3600)
            let token = SampleToken.make("of-\(user)", count.all.count, subject: nil, ends: end)
            return .stub(request, body: #"{"accessToken":"\#(token)","expiresIn":3600}"#, at: service.time.now)
        }
    }

    private func vault() async throws -> Vault {
        try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
    }

    private func client(_ service: IdentityService, _ transport: StubTransport, user: String) async throws -> Session {
        let provider = try BackendProvider(
            BackendConfiguration(url: "https://api.app.example/access-token"),
            transport: transport
        ) { [HTTPField("Authorization", secret: Secret("Bearer user-\(user)"))] }
        let id = provider.credentialID(slot: user)
        return Session(id, provider: provider, vault: try await vault(), time: service.time)
    }

    @Test func `1, login flow: the app's own identity system takes the place of the browser login`() async throws {
        let service = IdentityService()
        let transport = backend(service)
        let session = try await client(service, transport, user: "ann")
        // No page is opened and nobody signs in to Niantic; who asks is known by the app's own credentials.
        let issued = try await session.token()
        #expect(SampleToken.name(of: issued.token) == "of-ann-1")
        #expect(transport.requests.map(\.url.text) == ["https://api.app.example/access-token"])
        #expect(service.requests.isEmpty)
    }

    @Test func `2, token exchange: by service accounts, different ones for different organizations`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let service = IdentityService()
        var configuration = NianticConfiguration()
        configuration.identityURL = IdentityService.url
        let pool = ServiceAccountPool(
            configuration: configuration,
            transport: service.transport,
            vault: try await vault(),
            time: service.time
        )
        try await pool.add(ServiceAccount(name: "nsdk", tenant: "acme", keyFile: try place.write("key-1")))
        try await pool.add(ServiceAccount(name: "nsdk", tenant: "beta", keyFile: try place.write("key-2", to: "other")))
        let acme = try await pool.token(of: "nsdk", tenant: "acme").token
        let beta = try await pool.token(of: "nsdk", tenant: "beta").token
        #expect(service.requests.map { IdentityService.body($0)["apiKey"] } == ["key-1", "key-2"])
        #expect([SampleToken.name(of: acme), SampleToken.name(of: beta)] == ["access-1", "access-2"])
        // The client gets the final token alone: no refresh token, no session token.
        #expect(service.grants == ["exchange_api_key_access_token", "exchange_api_key_access_token"])
    }

    @Test func `3, refresh pattern: the same loop renews ahead of time, only the source has changed`() async throws {
        let service = IdentityService()
        let session = try await client(service, backend(service), user: "ann")
        let access = NSDKAccess(session, scheduler: RefreshScheduler(time: service.time), time: service.time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        let began = service.time.now
        while sink.given.count < 2, !Task.isCancelled {
            await service.time.waitForSleepers(1)
            service.time.advance(by: .seconds(5))
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(sink.given == ["of-ann-1", "of-ann-2"])
        #expect(service.time.now.since(began) >= .seconds(3530))
        #expect(service.time.now.since(began) < .seconds(3600))
        await access.stop()
        await subscription.cancel()
    }

    @Test func `4, passing the token: the same call of the same consumer, whatever the token's source`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        let end = app.time.now.wall + .seconds(30 * 86_400)
        let path = try place.write(SampleToken.make("developer", 1, subject: nil, ends: end), to: "token")
        let developer = DeveloperTokenProvider(path: path)
        let sessions = [
            try await app.session(), try await client(app.service, backend(app.service), user: "ann"),
            Session(
                developer.credentialID(slot: "a"),
                provider: developer,
                vault: try await vault(),
                time: app.time
            ),
        ]
        let consumer = TokenSink()
        for session in sessions {
            let access = NSDKAccess(session, scheduler: RefreshScheduler(time: app.time), time: app.time)
            let subscription = await access.subscribe(consumer)
            #expect(await access.start() == nil)
            await access.stop()
            await subscription.cancel()
        }
        #expect(consumer.given == ["access-1", "of-ann-1", "developer-1"])
    }
}
