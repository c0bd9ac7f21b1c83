import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// The retry helper: wait for authorization, run, once more after a second.
@Suite(.timeLimit(.minutes(1))) struct AuthorizationRetryTests {
    private struct Broken: Error, Equatable {
        let number: Int
    }

    private func start(_ app: SampleApp, signIn: Bool = true) async throws -> NSDKAccess {
        let session = try await app.session()
        if signIn { _ = try await session.signIn(through: app.person()) }
        // The scheduler sleeps by a clock of its own, so that its sleep is not moved on through here.
        let access = NSDKAccess(session, scheduler: RefreshScheduler(time: ManualTime()), time: app.time)
        await access.start()
        await access.stop()
        return access
    }

    /// Runs an operation while the clock is moved on by hand.
    private func run(
        _ app: SampleApp,
        _ access: NSDKAccess,
        _ rule: AuthorizationRetry = AuthorizationRetry(),
        _ operation: @escaping @Sendable (Secret) async throws -> String
    ) async throws -> (value: String, waited: Duration) {
        let began = app.time.now
        let pump = Task {
            while !Task.isCancelled {
                await app.time.waitForSleepers(1)
                if Task.isCancelled { return }
                if let next = app.time.remainingSleeps.min() { app.time.advance(by: next) }
                await Task.yield()
            }
        }
        defer { pump.cancel() }
        let value = try await rule.run(on: access, time: app.time, operation)
        return (value, app.time.now.since(began))
    }

    @Test func `an operation runs with the token, at once when there is one`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let result = try await AuthorizationRetry().run(on: access, time: app.time) { token in
            SampleToken.name(of: token.reveal()) ?? ""
        }
        #expect(result == "access-1")
    }

    @Test func `without authorization it waits 30 s, then fails without running the operation`() async throws {
        let app = try SampleApp()
        let access = try await start(app, signIn: false)
        let runs = Recorder<Int>()
        let began = app.time.now
        let error = try await failure {
            try await run(app, access) { _ in
                runs.add(1)
                return ""
            }
        }
        #expect(app.time.now.since(began) >= .seconds(30))
        #expect(error.reason == .authorizationTimedOut)
        #expect(error.remedy == .signInAgain)
        #expect(runs.all.isEmpty)
    }

    @Test func `a sign-in meanwhile lets it run`() async throws {
        let app = try SampleApp()
        let access = try await start(app, signIn: false)
        let outcome = Task {
            try await AuthorizationRetry().run(on: access, time: app.time) { SampleToken.name(of: $0.reveal()) }
        }
        await app.time.waitForSleepers(1)
        _ = try await access.session.signIn(through: app.person())
        #expect(try await outcome.value == "access-1")
    }

    @Test func `any error is tried again once, after a second`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Duration>()
        let result = try await run(app, access) { _ in
            runs.add(app.time.now.sinceBoot)
            if runs.all.count == 1 { throw Broken(number: 1) }
            return "done"
        }
        #expect(result.value == "done")
        #expect(runs.all.count == 2)
        #expect(runs.all[1] - runs.all[0] == .seconds(1))
    }

    @Test func `the second error is thrown as it is`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Int>()
        let error = await #expect(throws: Broken.self) {
            try await run(app, access) { _ in
                runs.add(1)
                throw Broken(number: runs.all.count)
            }
        }
        #expect(error == Broken(number: 2))
    }

    @Test func `cancellation is not tried again`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Int>()
        await #expect(throws: CancellationError.self) {
            try await run(app, access) { _ in
                runs.add(1)
                throw CancellationError()
            }
        }
        #expect(runs.all.count == 1)
    }

    @Test func `a caller that was cancelled is not tried again, whatever the operation threw`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Int>()
        let task = Task {
            try await AuthorizationRetry().run(on: access, time: app.time) { _ in
                runs.add(1)
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                throw Broken(number: 1)
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(runs.all.count == 1)
    }

    @Test func `on request only authorization and transient errors are tried again`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        var rule = AuthorizationRetry()
        rule.occasion = .authorizationAndTransient
        let runs = Recorder<Int>()
        await #expect(throws: Broken.self) {
            try await run(app, access, rule) { _ in
                runs.add(1)
                throw Broken(number: 1)
            }
        }
        #expect(runs.all.count == 1)
        for status in [401, 403, 429, 503] {
            let tries = Recorder<Int>()
            let value = try await run(app, access, rule) { _ in
                tries.add(1)
                if tries.all.count == 1 { throw try serviceFailure(status) }
                return "done"
            }
            #expect(value.value == "done")
        }
        for status in [400, 404, 422] {
            await #expect(throws: NianticError.self) {
                try await run(app, access, rule) { _ in throw try serviceFailure(status) }
            }
        }
    }

    @Test func `on request a new token is fetched before the second try`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        var rule = AuthorizationRetry()
        rule.forcesRefresh = true
        let tokens = Recorder<String>()
        _ = try await run(app, access, rule) { token in
            tokens.add(SampleToken.name(of: token.reveal()) ?? "")
            if tokens.all.count == 1 { throw try serviceFailure(401) }
            return "done"
        }
        #expect(tokens.all == ["access-1", "access-2"])
        #expect(app.service.grants.last == "refresh_build_access_token")
    }

    @Test func `a new token that cannot be had says so`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        app.service.withState { state in
            state.refreshTokens = []
            state.session = ""
        }
        var rule = AuthorizationRetry()
        rule.forcesRefresh = true
        let error = await #expect(throws: SessionError.self) {
            try await run(app, access, rule) { _ in throw try serviceFailure(401) }
        }
        #expect(error?.remedy == .signInAgain)
    }

    @Test func `a service that names a time is waited for`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Duration>()
        _ = try await run(app, access) { _ in
            runs.add(app.time.now.sinceBoot)
            if runs.all.count == 1 { throw try serviceFailure(429, retryAfter: "5") }
            return "done"
        }
        #expect(runs.all[1] - runs.all[0] == .seconds(5))
    }
}

/// The error of an NSDK service's answer.
func serviceFailure(_ status: Int, _ body: String = "", retryAfter: String? = nil) throws -> NianticError {
    let url = try #require(WebURL("https://api.example/v1/sites"))
    let response = HTTPResponse(
        status: status,
        fields: retryAfter.map { [HTTPField("Retry-After", $0)] } ?? [],
        body: Array(body.utf8),
        url: url,
        receivedAt: ManualTime().now
    )
    return try #require(ServiceAnswer.failure(of: response))
}
