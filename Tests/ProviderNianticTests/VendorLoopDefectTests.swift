import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What the loops and retry helpers of the vendor's clients get wrong, one by one: none of it is ours.
@Suite(.timeLimit(.minutes(1))) struct VendorLoopDefectTests {
    /// Signs in and starts the loop.
    private struct Loop {
        let app: SampleApp
        let access: NSDKAccess
        let sink = TokenSink()
        let subscription: AccessSubscription

        init(_ app: SampleApp) async throws {
            self.app = app
            let session = try await app.session()
            _ = try await session.signIn(through: app.person())
            let scheduler = RefreshScheduler(backoff: .niantic, time: app.time)
            access = NSDKAccess(session, scheduler: scheduler, time: app.time)
            subscription = await access.subscribe(sink)
            await access.start()
        }

        func end() async {
            await access.stop()
            await subscription.cancel()
        }
    }

    /// Answers this often with a failure that passes, then as it should; what was answered so.
    private func outage(_ app: SampleApp, _ count: Int) -> Recorder<String> {
        let failed = Recorder<String>()
        app.service.script { script in
            script.replace = { grant, response in
                guard failed.all.count < count else { return response }
                failed.add(grant)
                var response = response
                response.status = 503
                return response
            }
        }
        return failed
    }

    @Test func `Swift: a failure stops the loop for good, and the token runs out`() async throws {
        let loop = try await Loop(try SampleApp())
        var events = loop.access.session.events.makeAsyncIterator()
        let failed = outage(loop.app, 1)
        await ClockWalk.steps(loop.app.time, for: .seconds(3550))
        var told: [String] = []
        while told.last != "renewalFailed", let event = await events.next() {
            told.append(String("\(event)".prefix { $0 != "(" }))
        }
        #expect(failed.all.count == 1)
        // It goes on by itself: nobody asks for a token.
        try await ClockWalk.waking(loop.app.time) { await loop.sink.wait(for: 2) }
        #expect(loop.sink.given.first == "access-1" && loop.sink.given.last != "access-1")
        #expect(!loop.sink.given.contains("cleared"))
        #expect(try await loop.app.stored()?.state == .signedIn)
        await loop.end()
    }

    @Test(arguments: [("Kotlin: a failure clears token and storage", 1), ("C#: a failure stores null and stops", 8)])
    func `a network that is away, once or long, costs neither what is held nor the sign-in`(
        _ defect: String,
        _ count: Int
    ) async throws {
        let loop = try await Loop(try SampleApp())
        loop.app.service.script { script in
            script.before = { _ in
                throw TransportError(.cannotConnect, delivery: .notSent, detail: "There is no network.")
            }
        }
        for _ in 0..<count {
            let served = try await loop.access.session.token(for: TokenRequest(reason: .forced))
            #expect((served.renewalFailure as? TransportError)?.reason == .cannotConnect)
            #expect(SampleToken.name(of: served.token) == "access-1")
        }
        #expect(loop.sink.given == ["access-1"])
        #expect(await loop.access.isAuthorized)
        let held = try #require(await loop.app.stored())
        #expect(held.state == .signedIn)
        #expect(held.companions["session"] != nil && held.accessTokens[.primary] != nil)
        loop.app.service.script { $0.before = { _ in } }
        let next = try await loop.access.session.token(for: TokenRequest(reason: .forced))
        #expect(next.refreshed && next.renewalFailure == nil)
        #expect(loop.app.service.reuses == 0)
        await loop.end()
    }

    private func access(_ app: SampleApp) async throws -> NSDKAccess {
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        let access = NSDKAccess(session, scheduler: RefreshScheduler(time: ManualTime()), time: app.time)
        await access.start()
        await access.stop()
        return access
    }

    @Test func `Kotlin: the retry helper takes cancellation for an error and runs the operation again`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        let runs = Recorder<Secret>()
        _ = await Task {
            try await AuthorizationRetry().run(on: access, time: app.time) { token in
                runs.add(token)
                throw CancellationError()
            }
        }.result
        #expect(runs.all.map { SampleToken.name(of: $0.reveal()) } == ["access-1"])
        #expect(app.time.remainingSleeps.isEmpty)
    }

    @Test func `C#: the retry helper ends a cancelled operation with a value, as if it had been done`() async throws {
        let app = try SampleApp()
        let access = try await access(app)
        await #expect(throws: CancellationError.self) {
            try await AuthorizationRetry().run(on: access, time: app.time) { _ -> Int in throw CancellationError() }
        }
    }

    @Test func `all: what fails is tried again without any growing pause: ours is 1, 2, 4 s and so on to a minute`() {
        var random = SystemRandomNumberGenerator()
        for (count, bound) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60), (1000, 60)] {
            let pauses = (0..<1000).map { _ in Backoff.niantic.delay(afterFailures: count, using: &random) }
            #expect(pauses.allSatisfy { $0 <= .seconds(bound) }, "\(count)")
            // Full jitter: the whole span is used.
            #expect(pauses.contains { $0 < .seconds(bound) / 2 } && pauses.contains { $0 > .seconds(bound) * 3 / 4 })
        }
        let asked = Backoff.niantic.delay(afterFailures: 1, retryAfter: .seconds(7), using: &random)
        #expect(asked >= .seconds(7) && asked <= .seconds(8))
    }
}
