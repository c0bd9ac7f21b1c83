import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What stands in the place of the files that the sample apps of several platforms have ("File structure").
enum FileRow {
    static let threeSteps = [
        "refresh_user_session_access_token", "exchange_build_refresh_token", "refresh_build_access_token",
    ]

    /// An access that is started; its scheduler sleeps by a clock of its own and renews nothing here.
    static func started(_ app: SampleApp, signIn: Bool = true) async throws -> NSDKAccess {
        let session = try await app.session()
        if signIn { _ = try await session.signIn(through: app.person()) }
        let access = NSDKAccess(session, scheduler: RefreshScheduler(time: ManualTime()), time: app.time)
        await access.start()
        await access.stop()
        return access
    }

    /// `LoginManager`: the page is opened for a scheme, and of what the system hands over one callback is taken.
    static func loginManager(_ type: RedirectType, foreign: [String]) async throws {
        let app = try SampleApp { $0.redirectType = type }
        let pages = OpenedPages()
        let agent = CallbackUserAgent { pages.open($0) }
        let session = try await app.session()
        let signIn = Task { try await session.signIn(through: agent) }
        #expect(await pages.next() == "https://site.example/signin?redirectType=\(type)")
        let query = "?refreshToken=\(app.service.browserSignIn())"
        for place in foreign { #expect(agent.handleCallback(place + query) == .refused) }
        #expect(app.service.requests.isEmpty)
        let callback = "\(type)://signin/redirect\(query)"
        #expect(agent.handleCallback(callback) == .accepted)
        #expect(try await signIn.value.account?.subject == "user-1")
        #expect(agent.handleCallback(callback) == .nobodyWaits)
        let first = try #require(app.service.requests.first)
        #expect(SampleToken.name(of: IdentityService.cookie(first)) == "session-1")
        #expect(app.service.grants == threeSteps)
    }

    /// `NSSampleSessionManager`: a login's exchange, then the loop near an end; which steps it makes.
    static func sessionManager(session: Duration, access lifetime: Duration) async throws -> [String] {
        let app = try SampleApp()
        app.service.script { script in
            script.sessionLifetime = session
            script.accessLifetime = lifetime
        }
        let access = NSDKAccess(try await app.session(), scheduler: RefreshScheduler(time: app.time), time: app.time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        try await access.login(through: app.person())
        #expect(app.service.grants == threeSteps)
        #expect(sink.given == ["access-1"])
        await access.start()
        app.service.forgetRequests()
        await ClockWalk.steps(app.time, for: .seconds(520))
        #expect(app.service.grants.isEmpty)
        await ClockWalk.steps(app.time, for: .seconds(30))
        await sink.wait(for: 2)
        await access.stop()
        #expect(sink.given == ["access-1", "access-2"])
        #expect(try await app.stored()?.state == .signedIn)
        await subscription.cancel()
        return app.service.grants
    }

    /// `AuthRequests`: the three calls, what each carries, and where it goes.
    static func authRequests() async throws -> (app: SampleApp, held: StoredCredential) {
        let app = try SampleApp()
        let held = try await app.renew(try await app.establish())
        let requests = app.service.requests
        #expect(app.service.grants == threeSteps)
        try #require(requests.count == 3)
        for request in requests {
            #expect(request.method == "POST")
            #expect(request.url.text == IdentityService.url)
        }
        #expect(SampleToken.name(of: IdentityService.cookie(requests[0])) == "session-1")
        #expect(SampleToken.name(of: IdentityService.cookie(requests[1])) == "session-2")
        #expect(IdentityService.cookie(requests[2]) == nil)
        let body = IdentityService.body(requests[2])
        #expect(SampleToken.name(of: body["buildRefreshToken"]?.string) == "refresh-1")
        return (app, held)
    }

    /// `AuthUtils`: a token is taken apart, one that is none is found out, and ends are judged.
    static func authUtils(exp: JSONValue) throws {
        let claims: JSONObject = ["sub": "user-1", "email": "user-1@mail.example", "exp": exp]
        let info = try #require(AuthInfo(accessToken: Secret(SampleToken.jwt(claims))))
        #expect(info.subject == "user-1")
        #expect(info.email == "user-1@mail.example")
        #expect(info.expirationTime == 1_800_003_600)
        #expect(!info.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_003_539)))
        #expect(info.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_003_540)))
        #expect(info.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_003_601)))
        for text in ["", "opaque", "a.b.c", "e30.e30."] { #expect(AuthInfo(accessToken: Secret(text)) == nil) }
        let endless = try #require(AuthInfo(accessToken: Secret(SampleToken.jwt(["sub": "user-1"]))))
        #expect(endless.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_000_000)))
    }

    /// `AuthConstants`, `AuthEndpoints`: what is configured is where the browser and the requests go.
    static func endpoints(_ type: RedirectType) async throws {
        let app = try SampleApp { configuration in
            configuration.identityURL = "https://id.app.example/base"
            configuration.signInURL = "https://login.app.example/start"
            configuration.signOutURL = "https://login.app.example/end"
            configuration.redirectType = type
        }
        let person = ScriptedBrowser(
            redirect: "\(type)://signin/redirect",
            callbacks: ["\(type)://signin/redirect?refreshToken=\(app.service.browserSignIn())"]
        )
        let held = try await app.renew(try await app.establish(person))
        #expect(person.urls == ["https://login.app.example/start?redirectType=\(type)"])
        #expect(person.redirects == ["\(type)://signin/redirect"])
        let places = app.service.requests.map(\.url.text)
        #expect(places == Array(repeating: "https://id.app.example/base/oauth/token", count: 3))
        let page = try await app.provider.endSession(held, in: app.context)
        #expect(page?.printable == "https://login.app.example/end")
    }

    /// `AuthRetryHelper`: an operation that fails is run once more after a second, with the token.
    static func authRetryHelper() async throws {
        let app = try SampleApp()
        let access = try await started(app)
        let runs = Recorder<(token: String?, at: Duration)>()
        let value: String = try await ClockWalk.waking(app.time) {
            try await AuthorizationRetry().run(on: access, time: app.time) { (token: Secret) -> String in
                runs.add((token: SampleToken.name(of: token.reveal()), at: app.time.now.sinceBoot))
                if runs.all.count == 1 { throw try serviceFailure(401) }
                return "done"
            }
        }
        #expect(value == "done")
        try #require(runs.all.count == 2)
        #expect(runs.all.map(\.token) == ["access-1", "access-1"])
        #expect(runs.all[1].at - runs.all[0].at == .seconds(1))
    }
}
