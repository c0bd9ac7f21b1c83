import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

private let unreachable = TransportError(.cannotConnect, delivery: .notSent, detail: "Nobody listens there.")

/// What the vendor's clients get wrong in the loop that keeps tokens fresh: none of it is ours.
@Suite(.timeLimit(.minutes(1))) struct VendorLoopDefectTests {
    private let full = [
        "refresh_user_session_access_token", "exchange_build_refresh_token", "refresh_build_access_token",
    ]

    @Test func `Swift: a failure stops the loop for good`() async throws {
        let app = try SampleApp()
        let loop = try await RefreshLoop(app)
        let asked = Recorder<Duration>()
        app.service.script { script in
            script.before = { _ in
                asked.add(loop.age)
                if asked.all.count <= 3 { throw unreachable }
            }
        }
        await loop.move { $0.failed >= 3 }
        #expect(asked.all.count == 3)
        #expect(await loop.access.isAuthorized)
        #expect(SampleToken.name(of: try await app.stored()?.accessTokens[.primary]) == "access-1")
        await loop.move { $0.renewed >= 1 }
        await loop.sink.wait(for: 2)
        #expect(loop.sink.given == ["access-1", "access-2"])
        #expect(app.service.grants == Array(repeating: "refresh_build_access_token", count: 4))
        #expect(app.service.reuses == 0)
        await loop.end()
    }

    @Test func `Kotlin, UPM's editor: a fault of the network clears token and storage`() async throws {
        let app = try SampleApp()
        let loop = try await RefreshLoop(app)
        let held = try #require(await app.stored())
        app.service.script { $0.before = { _ in throw unreachable } }
        // Until after the access token's end.
        await loop.move { _ in loop.age > .seconds(3700) }
        #expect(await loop.scheduler.status.failed >= 6)
        let kept = try #require(await app.stored())
        #expect(kept.state == .signedIn)
        #expect(kept.companions == held.companions)
        #expect(kept.refreshToken == held.refreshToken)
        #expect(kept.accessTokens == held.accessTokens)
        #expect(loop.sink.given == ["access-1"])
        app.service.script { $0.before = { _ in } }
        await loop.move { $0.renewed >= 1 }
        await loop.sink.wait(for: 2)
        #expect(loop.sink.given == ["access-1", "access-2"])
        await loop.end()
    }

    @Test func `C#: a time-out makes the token null and stops the loop`() async throws {
        let app = try SampleApp()
        let loop = try await RefreshLoop(app)
        let asked = Recorder<String>()
        app.service.script { script in
            script.before = { grant in
                asked.add(grant)
                guard asked.all.count == 1 else { return }
                throw TransportError(.timedOut, delivery: .sentNoAnswer, detail: "Too slow.")
            }
        }
        await loop.move { $0.failed >= 1 }
        #expect(asked.all == ["refresh_build_access_token"])
        #expect(await loop.access.isAuthorized)
        #expect(SampleToken.name(of: try await app.stored()?.companions["session"]) == "session-2")
        await loop.move { $0.renewed >= 1 }
        await loop.sink.wait(for: 2)
        #expect(loop.sink.given == ["access-1", "access-2"])
        // What may have been spent is not sent again: the session token makes another.
        #expect(asked.all == ["refresh_build_access_token"] + full)
        #expect(SampleToken.name(of: try await app.stored()?.companions["session"]) == "session-3")
        #expect(app.service.reuses == 0)
        await loop.end()
    }

    @Test func `UPM's runtime: after a failure it asks again at the next look, whatever the service asked for`()
        async throws
    {
        let app = try SampleApp()
        let loop = try await RefreshLoop(app)
        let asked = Recorder<Duration>()
        app.service.script { script in
            script.before = { _ in asked.add(loop.age) }
            script.replace = { _, response in
                guard asked.all.count == 1 else { return response }
                var refused = response
                refused.status = 503
                refused.fields.append(HTTPField("Retry-After", "120"))
                return refused
            }
        }
        await loop.move { $0.renewed >= 1 }
        try #require(asked.all.count == 4)
        let pause = asked.all[1] - asked.all[0]
        #expect(pause >= .seconds(120) && pause <= .milliseconds(121_010))
        #expect(await loop.scheduler.status.failed == 1)
        #expect(app.service.reuses == 0)
        await loop.end()
    }

    @Test func `all: an outage is met with the same pause for ever`() async throws {
        let app = try SampleApp()
        let loop = try await RefreshLoop(app)
        app.service.script { $0.before = { _ in throw unreachable } }
        await loop.move { $0.failed >= 8 }
        await loop.scheduler.stop()
        var pauses: [Duration] = []
        for await event in loop.events {
            if case .failed(let code, let pause) = event.kind {
                #expect(code == "cannot_connect")
                pauses.append(pause)
            }
        }
        let bounds = [1, 2, 4, 8, 16, 32, 60, 60]
        #expect(pauses.count == bounds.count)
        // Never sooner than the policy's floor of a second.
        #expect(zip(pauses, bounds).allSatisfy { $0 >= .seconds(1) && $0 <= .seconds($1) })
        #expect(Set(pauses).count > 2)
        await loop.end()
    }

    @Test func `C#: the loop renews after the end, not 60 s before`() async throws {
        let app = try SampleApp()
        let loop = try await RefreshLoop(app)
        let asked = Recorder<Duration>()
        app.service.script { script in
            script.before = { _ in asked.add(loop.age) }
        }
        await loop.move { $0.renewed >= 1 }
        // With exactly 60 s left, where the vendor's `<` and `<=` differ.
        #expect(asked.all == [.seconds(3540)])
        #expect(await loop.scheduler.status.late == 0)
        await loop.end()
    }

    @Test func `SDK: the loop goes wrong where 32 bits overflow, in 2038`() async throws {
        let service = IdentityService(time: ManualTime(wall: WallTime(seconds: 2_147_483_000)))
        let loop = try await RefreshLoop(try SampleApp(service))
        #expect(await loop.access.authInfo?.expirationTime == 2_147_486_600)
        #expect(await loop.access.isAuthorized)
        #expect(await !loop.access.isAccessExpiredOrExpiringSoon())
        let asked = Recorder<Duration>()
        service.script { script in
            script.before = { _ in asked.add(loop.age) }
        }
        await loop.move { $0.renewed >= 1 }
        await loop.sink.wait(for: 2)
        #expect(asked.all == [.seconds(3540)])
        #expect(await loop.access.authInfo?.expirationTime == 2_147_490_140)
        await loop.end()
    }

    @Test func `all: a second start only cancels the first, so that both rotate`() async throws {
        let app = try SampleApp()
        let vault = try await app.vault()
        _ = try await app.session(vault: vault).signIn(through: app.person())
        app.time.advance(by: .seconds(86_400))
        app.service.forgetRequests()
        app.service.script { script in
            // Long enough for the other to begin.
            script.before = { _ in for _ in 0..<100 { await Task.yield() } }
        }
        let scheduler = RefreshScheduler(time: app.time)
        let one = NSDKAccess(try await app.session(vault: vault), scheduler: scheduler, time: app.time)
        let two = NSDKAccess(try await app.session(vault: vault), scheduler: scheduler, time: app.time)
        let (first, second) = (TokenSink(), TokenSink())
        let (kept, alsoKept) = (await one.subscribe(first), await two.subscribe(second))
        async let start: (any Error)? = one.start()
        async let other: (any Error)? = two.start()
        let (failure, otherFailure) = (await start, await other)
        #expect(failure == nil && otherFailure == nil)
        #expect(app.service.grants == full)
        #expect(app.service.reuses == 0)
        #expect(first.given == ["access-2"])
        #expect(second.given == ["access-2"])
        for access in [one, two] { await access.stop() }
        for subscription in [kept, alsoKept] { await subscription.cancel() }
    }

    @Test func `Swift, Kotlin, C#: an answer without a rotated token logs the person out`() async throws {
        let app = try SampleApp()
        app.service.script { $0.rotates = false }
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        for day in 1...3 {
            app.time.advance(by: .seconds(86_400))
            app.service.forgetRequests()
            #expect(SampleToken.name(of: try await session.token().token) == "access-\(day + 1)")
            #expect(app.service.grants == full)
            let stored = try #require(await app.stored())
            #expect(stored.state == .signedIn)
            #expect(SampleToken.name(of: stored.companions["session"]) == "session-1")
        }
    }

    @Test func `all: a start with a session token that has ended drops the login`() async throws {
        let app = try SampleApp()
        app.service.script { $0.refreshLifetime = .seconds(90 * 86_400) }
        _ = try await app.session().signIn(through: app.person())
        app.time.advance(by: .seconds(31 * 86_400))
        app.service.forgetRequests()
        let access = NSDKAccess(try await app.session(), scheduler: RefreshScheduler(time: app.time), time: app.time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        #expect(await access.start() == nil)
        #expect(sink.given == ["access-2"])
        #expect(app.service.grants == ["refresh_build_access_token"])
        #expect(try await app.stored()?.state == .signedIn)
        await access.stop()
        await subscription.cancel()
    }

    @Test func `UPM's runtime: a stored refresh token that ends earlier than the one in memory is ignored`()
        async throws
    {
        let app = try SampleApp()
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        app.service.script { $0.refreshLifetime = .seconds(7200) }
        // Another process renews: what this one remembers is spent now, though it would have lived longer.
        let other = try await app.session().token(for: TokenRequest(reason: .forced))
        #expect(SampleToken.name(of: other.token) == "access-2")
        app.time.advance(by: .seconds(3600))
        app.service.forgetRequests()
        #expect(SampleToken.name(of: try await session.token().token) == "access-3")
        #expect(app.service.grants == ["refresh_build_access_token"])
        #expect(app.service.reuses == 0)
    }
}
