import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "Use tokens in your app", bullet by bullet: set, check periodically, clear.
@Suite(.timeLimit(.minutes(1))) struct TokenUseTests {
    /// An access over a person's sign-in whose tokens live ten minutes.
    private func access(_ app: SampleApp) async throws -> NSDKAccess {
        app.service.script { $0.accessLifetime = .seconds(600) }
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        return NSDKAccess(session, scheduler: RefreshScheduler(time: app.time), time: app.time)
    }

    // MARK: Sets NSDK access tokens on the NSDK session

    @Test func `sets: a session that is made while there is a token begins with it`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        await access.start()
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        #expect(sink.given == ["access-1"])
        await access.stop()
        await subscription.cancel()
    }

    @Test func `sets: the token is updated on the session after initialization`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        await access.start()
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        let issued = try await access.session.token(for: TokenRequest(reason: .forced))
        await sink.wait(for: 2)
        #expect(sink.given == ["access-1", "access-2"])
        #expect(await access.authInfo?.token == issued.token.value)
        await access.stop()
        await subscription.cancel()
    }

    // MARK: Periodically checks if a token has expired or is about to expire

    @Test func `checks: AuthInfo has the end in seconds since the Unix epoch, which decides`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        await access.start()
        await access.stop()
        let info = try #require(await access.authInfo)
        #expect(info.expirationTime == 1_800_000_600)
        app.time.advance(by: .seconds(info.expirationTime - app.time.now.wall.seconds - 61))
        #expect(await !access.isAccessExpiredOrExpiringSoon())
        app.time.advance(by: .seconds(2))
        #expect(info.expirationTime - app.time.now.wall.seconds == 59)
        #expect(await access.isAccessExpiredOrExpiringSoon())
    }

    @Test func `checks: without a token the answer is that it has expired`() async throws {
        let app = try SampleApp()
        let access = try await FileRow.started(app, signIn: false)
        #expect(await access.authInfo == nil)
        #expect(await access.isAccessExpiredOrExpiringSoon())
    }

    @Test func `checks: the loop renews again and again, so that no check finds an expired token`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        for round in 2...4 {
            await ClockWalk.steps(app.time, for: .seconds(550))
            await sink.wait(for: round)
            #expect(await !access.isAccessExpiredOrExpiringSoon())
            #expect(await access.isAuthorized)
        }
        #expect(sink.given == ["access-1", "access-2", "access-3", "access-4"])
        await access.stop()
        await subscription.cancel()
    }

    // MARK: Clears tokens on logout

    @Test func `clears: the consumer is given an empty token, and nothing of what it had is left`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        try await access.logout()
        #expect(sink.given == ["access-1", "cleared"])
        #expect(await access.authInfo == nil)
        #expect(await access.isAccessExpiredOrExpiringSoon())
        let later = TokenSink()
        let second = await access.subscribe(later)
        #expect(later.given.isEmpty)
        await access.stop()
        await second.cancel()
        await subscription.cancel()
    }

    @Test func `clears: further access is prevented until a new token is obtained`() async throws {
        let app = try SampleApp()
        let access = try await FileRow.started(app)
        try await access.logout()
        let runs = Recorder<String?>()
        let error = try await failure {
            try await ClockWalk.waking(app.time) {
                try await AuthorizationRetry().run(on: access, time: app.time) { (token: Secret) -> String in
                    runs.add(SampleToken.name(of: token.reveal()))
                    return ""
                }
            }
        }
        #expect(error.reason == .authorizationTimedOut)
        #expect(runs.all.isEmpty)
        try await access.login(through: app.person())
        let used = try await AuthorizationRetry().run(on: access, time: app.time) { (token: Secret) -> String? in
            SampleToken.name(of: token.reveal())
        }
        #expect(used == "access-2")
    }
}
