import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "How the sample login works" and "The sample login flow": the stages, and what each platform's paragraphs promise.
@Suite(.timeLimit(.minutes(1))) struct LoginStageTests {
    private func access(_ app: SampleApp) async throws -> NSDKAccess {
        // Its scheduler sleeps by a clock of its own and renews nothing here.
        NSDKAccess(try await app.session(), scheduler: RefreshScheduler(time: ManualTime()), time: app.time)
    }

    /// Begins a sign-in whose callbacks the test hands over, and waits until its page is open.
    private func begin(_ app: SampleApp) async throws -> (CallbackUserAgent, Task<SignInReport, any Error>) {
        let pages = OpenedPages()
        let agent = CallbackUserAgent { pages.open($0) }
        let session = try await app.session()
        let signIn = Task { try await session.signIn(through: agent) }
        _ = await pages.next()
        return (agent, signIn)
    }

    // MARK: How the sample login works

    @Test func `three stages: browser login, token exchange, NSDK authorization, in this order`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let stages = Recorder<String>()
        app.service.script { script in
            script.before = { grant in stages.add(grant) }
        }
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        let pages = OpenedPages()
        let agent = CallbackUserAgent { page in
            stages.add("browser")
            pages.open(page)
        }
        let login = Task { try await access.login(through: agent) }
        _ = await pages.next()
        #expect(sink.given.isEmpty)
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .accepted)
        _ = try await login.value
        #expect(stages.all == ["browser"] + FileRow.threeSteps)
        #expect(sink.given == ["access-1"])
        await subscription.cancel()
    }

    @Test func `only the access token is passed on, whatever else is exchanged`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        try await access.login(through: app.person())
        await access.start()
        _ = try await access.session.token(for: TokenRequest(reason: .forced))
        await sink.wait(for: 2)
        app.service.withState { $0.refreshTokens = [] }
        _ = try await access.session.token(for: TokenRequest(reason: .forced))
        await sink.wait(for: 3)
        #expect(app.service.grants.filter { $0 == "refresh_user_session_access_token" }.count == 2)
        #expect(sink.given == ["access-1", "access-2", "access-3"])
        await access.stop()
        await subscription.cancel()
    }

    // MARK: Start login

    @Test func `start login: nothing happens before it is asked for, then one page is opened`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let person = app.person()
        await access.start()
        #expect(person.urls.isEmpty && app.service.requests.isEmpty)
        try await access.login(through: person)
        #expect(person.urls == ["https://site.example/signin?redirectType=nsdk-samples"])
        await access.stop()
    }

    // MARK: Handle the login callback

    @Test func `callback, unity: a deep link that comes when the app resumes is processed`() async throws {
        let app = try SampleApp { $0.redirectType = .unitySamples }
        let (agent, signIn) = try await begin(app)
        app.time.advance(by: .seconds(240))
        let link = "nsdk-unity-samples://signin/redirect?refreshToken=\(app.service.browserSignIn())"
        #expect(agent.handleCallback(link) == .accepted)
        #expect(try await signIn.value.account?.subject == "user-1")
    }

    @Test func `callback, swift: an error of the browser's session ends the login, and nothing is sent or stored`()
        async throws
    {
        struct Cancelled: Error {}
        let app = try SampleApp()
        let session = try await app.session()
        let agent = CallbackUserAgent { _ in throw Cancelled() }
        await #expect(throws: Cancelled.self) { try await session.signIn(through: agent) }
        #expect(app.service.requests.isEmpty)
        #expect(try await app.stored() == nil)
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .nobodyWaits)
    }

    @Test func `callback, kotlin: no data or an unexpected scheme is passed over, and the wait goes on`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = try await begin(app)
        let token = app.service.browserSignIn()
        for url in ["", "nsdk-samples://signin/redirect", "nsdk-external://signin/redirect?refreshToken=\(token)"] {
            #expect(agent.handleCallback(url) == .refused)
        }
        #expect(app.service.requests.isEmpty)
        #expect(agent.handleCallback(app.callback(token)) == .accepted)
        #expect(try await signIn.value.account?.subject == "user-1")
        #expect(app.service.grants == FileRow.threeSteps)
    }

    // MARK: Establish the sample session

    @Test func `establish: the session token is persisted, and another process goes on with it`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = try await begin(app)
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .accepted)
        _ = try await signIn.value
        #expect(SampleToken.name(of: try await app.stored()?.companions["session"]) == "session-2")
        // Neither the access token nor the NSDK refresh token lives any more.
        app.time.advance(by: .seconds(86_400))
        app.service.forgetRequests()
        #expect(SampleToken.name(of: try await app.session().token().token) == "access-2")
        let first = try #require(app.service.requests.first)
        #expect(app.service.grants == FileRow.threeSteps)
        #expect(SampleToken.name(of: IdentityService.cookie(first)) == "session-2")
    }

    @Test func `establish: exchange and loop run while the app does, and end with it`() async throws {
        let app = try SampleApp()
        app.service.script { $0.accessLifetime = .seconds(600) }
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        let access = NSDKAccess(session, scheduler: RefreshScheduler(time: app.time), time: app.time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        await ClockWalk.steps(app.time, for: .seconds(550))
        await sink.wait(for: 2)
        await access.stop()
        let asked = app.service.grants.count
        app.time.advance(by: .seconds(3600))
        for _ in 0..<1000 { await Task.yield() }
        #expect(app.service.grants.count == asked)
        #expect(sink.given == ["access-1", "access-2"])
        await subscription.cancel()
    }

    // MARK: Exchange session tokens for NSDK access tokens

    @Test func `exchange: a subscription made before the login is triggered when that completes`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        #expect(await access.start() != nil)
        #expect(sink.given.isEmpty)
        try await access.login(through: app.person())
        #expect(app.service.grants == FileRow.threeSteps)
        #expect(sink.given == ["access-1"])
        await access.stop()
        await subscription.cancel()
    }

    @Test func `exchange: the subscription is triggered when an existing session is restored`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        app.service.forgetRequests()
        app.time.advance(by: .seconds(3600))
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        #expect(await access.start() == nil)
        #expect(sink.given == ["access-2"])
        // What the NSDK refresh token can still do needs no other step.
        #expect(app.service.grants == ["refresh_build_access_token"])
        await access.stop()
        await subscription.cancel()
    }
}
