import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// The tables under "File structure" of the sample login's document: each row, by what stands for the file here.
@Suite(.timeLimit(.minutes(1))) struct FileTableTests {
    /// The platforms of the tables; each registers a scheme of its own.
    enum Platform: String, CaseIterable {
        case swift, kotlin, unity

        var scheme: String { self == .unity ? "nsdk-unity-samples" : "nsdk-samples" }

        func app() throws -> SampleApp { try SampleApp { $0.redirectType = .scheme(scheme) } }

        func callback(_ app: SampleApp) -> String {
            "\(scheme)://signin/redirect?refreshToken=\(app.service.browserSignIn())"
        }
    }

    private func access(_ app: SampleApp) async throws -> NSDKAccess {
        NSDKAccess(try await app.session(), scheduler: RefreshScheduler(time: app.time), time: app.time)
    }

    @Test(arguments: Platform.allCases)
    func `LoginManager (swift, kt, cs): opens browser login and handles the deep-link callback`(
        _ platform: Platform
    ) async throws {
        let app = try platform.app()
        let (pages, opened) = AsyncStream.makeStream(of: String.self)
        let agent = CallbackUserAgent { opened.yield($0) }
        let signIn = Task { try await app.establish(agent) }
        var iterator = pages.makeAsyncIterator()
        #expect(await iterator.next() == "https://site.example/signin?redirectType=\(platform.scheme)")
        #expect(agent.handleCallback(platform.callback(app)) == .accepted)
        #expect(SampleToken.name(of: try await signIn.value.companions["session"]) == "session-2")
        #expect(agent.handleCallback(platform.callback(app)) == .nobodyWaits)
    }

    @Test(arguments: Platform.allCases)
    func `NSSampleSessionManager (swift, kt, cs): session token lifecycle, refresh loop, exchange for access tokens`(
        _ platform: Platform
    ) async throws {
        let app = try platform.app()
        // The session token has to be rotated before the access token's second renewal.
        app.service.script { $0.sessionLifetime = .seconds(5400) }
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        let browser = ScriptedBrowser(
            redirect: "\(platform.scheme)://signin/redirect",
            callbacks: [platform.callback(app)]
        )
        try await access.login(through: browser)
        await access.start()
        #expect(sink.given == ["access-1"])
        while sink.given.count < 3, !Task.isCancelled {
            await app.time.waitForSleepers(1)
            app.time.advance(by: .seconds(5))
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(sink.given == ["access-1", "access-2", "access-3"])
        let rotations = app.service.grants.filter { $0 == "refresh_user_session_access_token" }
        #expect(rotations.count == 2)
        #expect(SampleToken.name(of: try await app.stored()?.companions["session"]) == "session-3")
        #expect(app.service.reuses == 0)
        await access.stop()
        await subscription.cancel()
    }

    @Test(arguments: Platform.allCases)
    func `AuthRequests (swift, kt, cs): the three token exchange calls, in order, and what each carries`(
        _ platform: Platform
    ) async throws {
        let app = try platform.app()
        let browser = ScriptedBrowser(
            redirect: "\(platform.scheme)://signin/redirect",
            callbacks: [platform.callback(app)]
        )
        _ = try await app.session().signIn(through: browser)
        #expect(
            app.service.grants == [
                "refresh_user_session_access_token", "exchange_build_refresh_token", "refresh_build_access_token",
            ]
        )
        let cookies = app.service.requests.map { SampleToken.name(of: IdentityService.cookie($0)) }
        #expect(cookies == ["session-1", "session-2", nil])
        let members = app.service.requests.map { IdentityService.body($0).names }
        #expect(members == [["grantType"], ["grantType"], ["grantType", "buildRefreshToken"]])
    }

    @Test(arguments: ["AuthUtils.swift", "AuthUtils.kt"])
    func `AuthUtils: JWT parsing, token validation and expiration checks`(_ file: String) throws {
        // Kotlin's reads an end that is digits in a string as well.
        let end: JSONValue = file == "AuthUtils.kt" ? "1800000100" : 1_800_000_100
        let token = Secret(SampleToken.jwt(["sub": "user-1", "email": "user-1@mail.example", "exp": end]))
        let info = try #require(AuthInfo(accessToken: token))
        #expect(info.subject == "user-1" && info.email == "user-1@mail.example")
        #expect(info.expirationTime == 1_800_000_100)
        #expect(!info.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_000_039)))
        #expect(info.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_000_040)))
        #expect(AuthInfo(accessToken: Secret("not.a.token")) == nil)
    }

    @Test(arguments: ["AuthConstants.swift", "AuthConstants.kt", "AuthEndpoints.cs"])
    func `AuthConstants, AuthEndpoints: endpoint URLs and the callback scheme are configuration`(
        _ file: String
    ) async throws {
        let scheme = file == "AuthEndpoints.cs" ? "nsdk-unity-samples" : "nsdk-samples"
        let app = try SampleApp { configuration in
            configuration.identityURL = "https://id-stg.example/base/"
            configuration.signInURL = "https://front-stg.example/signin"
            configuration.redirectType = .scheme(scheme)
        }
        let redirect = "\(scheme)://signin/redirect"
        let browser = ScriptedBrowser(
            redirect: redirect,
            callbacks: ["\(redirect)?refreshToken=\(app.service.browserSignIn())"]
        )
        _ = try await app.session().signIn(through: browser)
        #expect(browser.urls == ["https://front-stg.example/signin?redirectType=\(scheme)"])
        #expect(browser.redirects == [redirect])
        #expect(Set(app.service.requests.map(\.url.text)) == ["https://id-stg.example/base/oauth/token"])
    }

    @Test(arguments: ["AuthManager.kt", "AuthManager.cs"])
    func `AuthManager: orchestrates login and logout, and connects them to the NSDK session`(
        _ file: String
    ) async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        // What Unity's shows in its buttons, it learns of events.
        var events = access.session.events.makeAsyncIterator()
        #expect(access.session.state == .signedOut)
        try await access.login(through: app.person())
        #expect(access.session.state == .signedIn)
        try await access.logout()
        #expect(access.session.state == .signedOut)
        #expect(sink.given == ["access-1", "cleared"])
        var told: [String] = []
        while told.last != "signedOut", let event = await events.next() {
            told.append(String("\(event)".prefix { $0 != "(" }))
        }
        #expect(told.first == "signedIn")
        await subscription.cancel()
    }

    @Test func `TokenStorage.kt: persistent token storage abstraction`() async throws {
        let store = InMemoryStore()
        let first = try SampleApp(store: store)
        _ = try await first.session().signIn(through: first.person())
        let kept = try await first.session().token().token.value
        // Another process over the same store: no request, the same token; and any `TokenStore` will do.
        let next = try SampleApp(first.service, store: store)
        first.service.forgetRequests()
        #expect(try await next.session().token().token.value == kept)
        #expect(first.service.requests.isEmpty)
        _ = try await next.session().signOut()
        await #expect(throws: SessionError.self) { try await first.session().token() }
    }

    @Test(arguments: Platform.allCases)
    func `AuthRetryHelper (swift, kt, cs): retry logic for NSDK operations that require authorization`(
        _ platform: Platform
    ) async throws {
        let app = try platform.app()
        let browser = ScriptedBrowser(
            redirect: "\(platform.scheme)://signin/redirect",
            callbacks: [platform.callback(app)]
        )
        let access = try await access(app)
        try await access.login(through: browser)
        var rule = AuthorizationRetry()
        rule.pause = .zero
        let runs = Recorder<String?>()
        let value = try await rule.run(on: access, time: app.time) { token in
            runs.add(SampleToken.name(of: token.reveal()))
            guard runs.all.count > 1 else { throw NothingThrown() }
            return "done"
        }
        #expect(value == "done")
        #expect(runs.all == ["access-1", "access-1"])
    }
}
