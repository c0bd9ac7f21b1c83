import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What the vendor's retry helpers get wrong: none of it is ours.
@Suite(.timeLimit(.minutes(1))) struct VendorRetryDefectTests {
    private struct Broken: Error {}

    private func start(_ app: SampleApp, signIn: Bool = true) async throws -> NSDKAccess {
        let session = try await app.session()
        if signIn { _ = try await session.signIn(through: app.person()) }
        // The scheduler sleeps by a clock of its own, so that its sleep is not moved on through here.
        let access = NSDKAccess(session, scheduler: RefreshScheduler(time: ManualTime()), time: app.time)
        await access.start()
        await access.stop()
        return access
    }

    /// Waits until something sleeps for exactly so long more.
    private func waitForSleep(_ length: Duration, on time: ManualTime) async {
        while !time.remainingSleeps.contains(length) { await Task.yield() }
    }

    @Test func `Kotlin: an operation's cancellation is caught like any error, and it runs again`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Int>()
        await #expect(throws: CancellationError.self) {
            try await AuthorizationRetry().run(on: access, time: app.time) { _ in
                runs.add(1)
                throw CancellationError()
            }
        }
        #expect(runs.all == [1])
    }

    @Test func `Kotlin: a caller that is cancelled during the pause runs the operation again`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Int>()
        let task = Task {
            try await AuthorizationRetry().run(on: access, time: app.time) { _ in
                runs.add(1)
                throw Broken()
            }
        }
        await waitForSleep(.seconds(1), on: app.time)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(runs.all == [1])
    }

    @Test func `C#: a cancelled call returns a default value as if it had succeeded`() async throws {
        let app = try SampleApp()
        let access = try await start(app, signIn: false)
        let runs = Recorder<Int>()
        let task = Task {
            try await AuthorizationRetry().run(on: access, time: app.time) { _ in
                runs.add(1)
                return "done"
            }
        }
        await waitForSleep(.seconds(30), on: app.time)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(runs.all.isEmpty)
        await access.stop()
    }

    @Test func `C#: after 30 s without authorization the operation runs anyway, with no more than a warning`()
        async throws
    {
        let app = try SampleApp()
        let access = try await start(app, signIn: false)
        let runs = Recorder<Int>()
        let task = Task {
            try await AuthorizationRetry().run(on: access, time: app.time) { _ in
                runs.add(1)
                return "done"
            }
        }
        await waitForSleep(.seconds(30), on: app.time)
        app.time.advance(by: .milliseconds(29_999))
        #expect(app.time.remainingSleeps.contains(.milliseconds(1)))
        app.time.advance(by: .milliseconds(1))
        let error = try await failure { try await task.value }
        #expect(error.code == "authorization_timed_out")
        #expect(error.remedy == .signInAgain)
        #expect(runs.all.isEmpty)
        await access.stop()
    }

    @Test func `all: the second try has the token that was refused`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        var rule = AuthorizationRetry()
        rule.forcesRefresh = true
        let tokens = Recorder<String>()
        let task = Task { [rule] in
            try await rule.run(on: access, time: app.time) { token in
                tokens.add(SampleToken.name(of: token.reveal()) ?? "")
                if tokens.all.count == 1 { throw try serviceFailure(401) }
                return tokens.all.count
            }
        }
        await waitForSleep(.seconds(1), on: app.time)
        app.time.advance(by: .seconds(1))
        #expect(try await task.value == 2)
        #expect(tokens.all == ["access-1", "access-2"])
    }

    @Test func `all: what another try cannot mend is tried again`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        var rule = AuthorizationRetry()
        rule.occasion = .authorizationAndTransient
        let runs = Recorder<Int>()
        let error = try await failure {
            try await rule.run(on: access, time: app.time) { _ in
                runs.add(1)
                throw try serviceFailure(404)
            }
        }
        #expect(error.remedy == .fixConfiguration)
        #expect(runs.all == [1])
    }

    @Test func `all: the second try comes after a second, whatever the service asked for`() async throws {
        let app = try SampleApp()
        let access = try await start(app)
        let runs = Recorder<Duration>()
        let task = Task {
            try await AuthorizationRetry().run(on: access, time: app.time) { _ in
                runs.add(app.time.now.sinceBoot)
                if runs.all.count == 1 { throw try serviceFailure(429, retryAfter: "5") }
                return "done"
            }
        }
        await waitForSleep(.seconds(5), on: app.time)
        app.time.advance(by: .seconds(5))
        #expect(try await task.value == "done")
        try #require(runs.all.count == 2)
        #expect(runs.all[1] - runs.all[0] == .seconds(5))
    }
}
