import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "Use tokens in your app": set, check, refresh, clear.
@Suite(.timeLimit(.minutes(1))) struct NSDKAccessTests {
    private func access(_ app: SampleApp, signIn: Bool = true) async throws -> NSDKAccess {
        let session = try await app.session()
        if signIn { _ = try await session.signIn(through: app.person()) }
        return NSDKAccess(session, scheduler: RefreshScheduler(time: app.time), time: app.time)
    }

    @Test func `start restores what is stored and sets the token`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        let access = NSDKAccess(try await app.session(), scheduler: RefreshScheduler(time: app.time), time: app.time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        #expect(await access.start() == nil)
        #expect(sink.given == ["access-1"])
        #expect(await access.isAuthorized)
        await subscription.cancel()
    }

    @Test func `the configuration's claims are those that authInfo looks at, unless others are named`() async throws {
        let app = try SampleApp { $0.userIDClaims = ["jti"] }
        _ = try await app.session().signIn(through: app.person())
        for (claims, user) in [(nil, "access-1"), (["sub"], "user-1")] as [([String]?, String)] {
            let scheduler = RefreshScheduler(time: app.time)
            let access = NSDKAccess(try await app.session(), scheduler: scheduler, time: app.time, userIDClaims: claims)
            await access.start()
            #expect(await access.authInfo?.userId == user)
            await access.stop()
        }
    }

    @Test func `start renews a stored token that has ended`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        app.time.advance(by: .seconds(3600))
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        #expect(sink.given == ["access-2"])
        await subscription.cancel()
    }

    @Test func `start with a session that has ended sets nothing and deletes nothing`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        app.time.advance(by: .seconds(31 * 86_400))
        app.service.forgetRequests()
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        let failure = await access.start()
        #expect((failure as? any ProviderFailure)?.remedy == .signInAgain)
        #expect(sink.given.isEmpty)
        #expect(app.service.requests.isEmpty)
        #expect(try await app.stored()?.companions["session"] != nil)
        await subscription.cancel()
    }

    @Test func `starting twice is nothing`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        await access.start()
        let asked = app.service.grants.count
        await access.start()
        #expect(app.service.grants.count == asked)
    }

    @Test func `start with nobody signed in sets nothing, and a later sign-in is pushed`() async throws {
        let app = try SampleApp()
        let access = try await access(app, signIn: false)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        #expect(await access.start() != nil)
        #expect(sink.given.isEmpty)
        _ = try await access.session.signIn(through: app.person())
        await sink.wait(for: 1)
        #expect(sink.given == ["access-1"])
        await subscription.cancel()
    }

    @Test func `each new token is pushed to every consumer, and to one that comes later`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let (first, second) = (TokenSink(), TokenSink())
        let one = await access.subscribe(first)
        await access.start()
        let two = await access.subscribe(second)
        _ = try await access.session.token(for: TokenRequest(reason: .forced))
        await first.wait(for: 2)
        await second.wait(for: 2)
        #expect(first.given == ["access-1", "access-2"])
        #expect(second.given == ["access-1", "access-2"])
        await one.cancel()
        await two.cancel()
    }

    @Test func `the loop renews a minute before the end`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        #expect(app.service.grants.count == 3)
        let began = app.time.now
        let renewedAt = Recorder<Duration>()
        app.service.script { script in
            script.before = { _ in renewedAt.add(app.time.now.since(began)) }
        }
        // Until the latest time at which it has to be renewed; then the clock stands while it is.
        while app.time.now.since(began) < .seconds(3550) {
            await app.time.waitForSleepers(1)
            app.time.advance(by: .seconds(5))
            for _ in 0..<50 { await Task.yield() }
        }
        await sink.wait(for: 2)
        // A tenth of the lead is jitter, and the look is every 10 s.
        let age = try #require(renewedAt.all.first)
        #expect(age >= .seconds(3530) && age <= .seconds(3550))
        #expect(sink.given == ["access-1", "access-2"])
        await access.stop()
        await subscription.cancel()
    }

    @Test func `a subscription that was cancelled is given nothing more`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let (kept, dropped) = (TokenSink(), TokenSink())
        let one = await access.subscribe(kept)
        let two = await access.subscribe(dropped)
        await access.start()
        await two.cancel()
        _ = try await access.session.token(for: TokenRequest(reason: .forced))
        await kept.wait(for: 2)
        #expect(dropped.given == ["access-1"])
        await one.cancel()
    }

    @Test func `isAccessExpiredOrExpiringSoon is true without a token, and within the last minute`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        #expect(await access.isAccessExpiredOrExpiringSoon())
        await access.start()
        await access.stop()
        #expect(await !access.isAccessExpiredOrExpiringSoon())
        app.time.advance(by: .seconds(3539))
        #expect(await !access.isAccessExpiredOrExpiringSoon())
        app.time.advance(by: .seconds(1))
        #expect(await access.isAccessExpiredOrExpiringSoon())
        #expect(await access.isAuthorized)
        app.time.advance(by: .seconds(60))
        #expect(await !access.isAuthorized)
    }

    @Test func `getAccessAuthInfo tells of the present token`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        #expect(await access.authInfo == nil)
        await access.start()
        let info = try #require(await access.authInfo)
        #expect(info.subject == "user-1")
        #expect(info.expirationTime == app.time.now.wall.seconds + 3600)
    }

    @Test func `logout clears first, then what is stored`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        let report = try await access.logout()
        #expect(sink.given == ["access-1", "cleared"])
        #expect(await !access.isAuthorized)
        #expect(await access.authInfo == nil)
        #expect(report.wasSignedIn)
        let stored = try #require(await app.stored())
        #expect(stored.state == .signedOut)
        #expect(stored.companions.isEmpty && stored.refreshToken == nil && stored.accessTokens.isEmpty)
        await subscription.cancel()
    }

    @Test func `logout clears even where the store fails`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        access.session.dispose()
        await #expect(throws: SessionError.self) { try await access.logout() }
        #expect(sink.given == ["access-1", "cleared"])
        await subscription.cancel()
    }

    @Test func `logout during step 2 wins: nothing of the old account is pushed after it`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        app.service.withState { $0.refreshTokens = [] }
        app.service.script { script in
            script.before = { grant in
                if grant == "exchange_build_refresh_token" { try await access.logout() }
            }
        }
        await #expect(throws: SessionError.self) {
            try await access.session.token(for: TokenRequest(reason: .forced))
        }
        #expect(sink.given == ["access-1", "cleared"])
        #expect(try await app.stored()?.state == .signedOut)
        await subscription.cancel()
    }

    @Test func `a sign-out in another process clears at the next look`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        _ = try await app.session().signOut()
        await #expect(throws: SessionError.self) {
            try await access.session.token(for: TokenRequest(reason: .forced))
        }
        await sink.wait(for: 2)
        #expect(sink.given == ["access-1", "cleared"])
        await subscription.cancel()
    }

    @Test func `the browser's sign-out has the session token, and its printable form has not`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        await access.start()
        let token = try #require(await app.stored()?.companions["session"]).value.reveal()
        let page = try #require(try await access.logout().endSession)
        #expect(page.address.reveal() == "https://site.example/signout?refreshToken=\(token)")
        #expect(page.printable == "https://site.example/signout")
        #expect(!"\(page)".contains(token))
    }

    @Test func `the browser's sign-out is optional`() async throws {
        let app = try SampleApp { $0.signOutURL = nil }
        let access = try await access(app)
        await access.start()
        #expect(try await access.logout().endSession == nil)
    }

    @Test func `somebody may sign in again after a logout`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        try await access.logout()
        _ = try await access.session.signIn(through: app.person("user-2"))
        await sink.wait(for: 3)
        #expect(sink.given == ["access-1", "cleared", "access-2"])
        await subscription.cancel()
    }
}
