import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// `NSDKAccess` over the production flows: service account, developer token, own back end.
@Suite(.timeLimit(.minutes(1))) struct UnattendedAccessTests {
    /// One of the flows, with files of its own.
    private struct Flow {
        let place: KeyPlace
        let access: NSDKAccess
        let service: IdentityService

        /// What the consumers are given as the first token, and as the one after a logout and a login.
        let first: String
        let second: String
    }

    static let names = ["service-account", "developer-token", "backend"]

    private func flow(_ name: String) async throws -> Flow {
        let place = try KeyPlace()
        let service = IdentityService()
        let time = service.time
        let vault = try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
        func access(_ provider: any TokenProvider, _ id: CredentialID) -> NSDKAccess {
            let session = Session(id, provider: provider, vault: vault, time: time)
            return NSDKAccess(session, scheduler: RefreshScheduler(time: time), time: time)
        }
        switch name {
        case "service-account":
            var configuration = NianticConfiguration()
            configuration.identityURL = IdentityService.url
            let provider = try ServiceAccountProvider(
                ServiceAccount(name: "a", keyFile: try place.write("key-1")),
                configuration: configuration,
                transport: service.transport
            )
            let made = access(provider, provider.credentialID(slot: "a"))
            return Flow(place: place, access: made, service: service, first: "access-1", second: "access-2")
        case "developer-token":
            let token = SampleToken.make("developer", 1, subject: nil, ends: time.now.wall + .seconds(30 * 86_400))
            let provider = DeveloperTokenProvider(path: try place.write(token, to: "token"))
            let made = access(provider, provider.credentialID(slot: "a"))
            return Flow(place: place, access: made, service: service, first: "developer-1", second: "developer-1")
        default:
            let count = Guarded(0)
            let transport = StubTransport { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let token = SampleToken.make("backend", number, ends: time.now.wall + .seconds(3600))
                return .stub(request, body: #"{"accessToken":"\#(token)","expiresIn":3600}"#, at: time.now)
            }
            let provider = try BackendProvider(
                BackendConfiguration(url: "https://api.app.example/access-token"),
                transport: transport
            )
            let made = access(provider, provider.credentialID(slot: "a"))
            return Flow(place: place, access: made, service: service, first: "backend-1", second: "backend-2")
        }
    }

    @Test(arguments: names)
    func `the token is set without a login`(_ name: String) async throws {
        let flow = try await flow(name)
        defer { flow.place.remove() }
        let sink = TokenSink()
        let subscription = await flow.access.subscribe(sink)
        #expect(await flow.access.start() == nil)
        #expect(sink.given == [flow.first])
        #expect(await flow.access.isAuthorized)
        #expect(await !flow.access.isAccessExpiredOrExpiringSoon())
        await subscription.cancel()
    }

    @Test(arguments: names)
    func `after a logout nothing is set until a login, which begins again`(_ name: String) async throws {
        let flow = try await flow(name)
        defer { flow.place.remove() }
        let sink = TokenSink()
        let subscription = await flow.access.subscribe(sink)
        await flow.access.start()
        try await flow.access.logout()
        #expect(sink.given == [flow.first, "cleared"])
        await #expect {
            try await flow.access.session.token()
        } throws: { ($0 as? SessionError)?.reason == .signedOut }
        let report = try await flow.access.login()
        #expect(report.tokenFailure == nil)
        #expect(sink.given == [flow.first, "cleared", flow.second])
        #expect(await flow.access.isAuthorized)
        await subscription.cancel()
    }

    @Test func `operations with a developer token keep to ten a second, those with other tokens run at once`()
        async throws
    {
        for name in Self.names {
            let flow = try await flow(name)
            defer { flow.place.remove() }
            let (access, time) = (flow.access, flow.service.time)
            await access.start()
            let ran = Recorder<Int>()
            for number in 1...10 { try await AuthorizationRetry().run(on: access, time: time) { _ in ran.add(number) } }
            let sleeping = time.remainingSleeps.count
            let eleventh = Task { try await AuthorizationRetry().run(on: access, time: time) { _ in ran.add(11) } }
            if name == "developer-token" {
                await time.waitForSleepers(sleeping + 1)
                #expect(time.remainingSleeps.min() == .milliseconds(100))
                #expect(ran.all.count == 10)
                time.advance(by: .milliseconds(100))
            }
            try await eleventh.value
            #expect(ran.all == Array(1...11))
            await access.stop()
        }
    }

    @Test func `a login that cannot be made changes nothing of what the consumers have`() async throws {
        let flow = try await flow("service-account")
        defer { flow.place.remove() }
        let sink = TokenSink()
        let subscription = await flow.access.subscribe(sink)
        await flow.access.start()
        _ = try flow.place.write("key-9")
        let error = try await failure { try await flow.access.login() }
        #expect(error.reason == .apiKeyRefused)
        #expect(sink.given == ["access-1"])
        #expect(await flow.access.isAuthorized)
        await subscription.cancel()
    }

    @Test func `the sample sign-in's login gives the consumers its first token before it returns`() async throws {
        let app = try SampleApp()
        let scheduler = RefreshScheduler(time: app.time)
        let access = NSDKAccess(try await app.session(), scheduler: scheduler, time: app.time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        let report = try await access.login(through: app.person())
        #expect(report.account?.subject == "user-1")
        #expect(sink.given == ["access-1"])
        try await access.logout()
        try await access.login(through: app.person("user-2"))
        #expect(sink.given == ["access-1", "cleared", "access-2"])
        await subscription.cancel()
    }

    /// Whether a session has a token to give; anything but a sign-out is a failure of the test.
    private func sessionIsIn(_ session: Session) async -> Bool {
        do {
            _ = try await session.token()
            return true
        } catch {
            #expect((error as? SessionError)?.reason == .signedOut)
            return false
        }
    }

    @Test func `a sign-in's end that meets a logout pushes nothing`() async throws {
        let flow = try await flow("service-account")
        defer { flow.place.remove() }
        let sink = TokenSink()
        let subscription = await flow.access.subscribe(sink)
        await flow.access.start()
        async let out: SignOutReport = flow.access.logout()
        async let again = flow.access.login()
        do {
            _ = try await again
        } catch let error as SessionError {
            #expect(error.reason == .superseded)  // Whichever comes first: the login may be overtaken.
        }
        _ = try await out
        // What stands in the store is what the consumers have.
        let isIn = await sessionIsIn(flow.access.session)
        for _ in 0..<1000 { await Task.yield() }
        #expect(await flow.access.isAuthorized == isIn)
        #expect((sink.given.last == "cleared") == !isIn)
        await subscription.cancel()
    }
}
