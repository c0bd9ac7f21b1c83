import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What the vendor's clients get wrong, one by one: none of it is ours.
@Suite(.timeLimit(.minutes(1))) struct VendorDefectTests {
    @Test func `Swift, Kotlin, C#: an answer without a rotated token overwrites the stored one`() async throws {
        let app = try SampleApp()
        app.service.script { $0.rotates = false }
        let held = try await app.establish()
        #expect(SampleToken.name(of: held.companions["session"]) == "session-1")
    }

    @Test func `Kotlin: step 1 fails when its body, which nobody needs, is empty`() async throws {
        let app = try SampleApp()
        app.service.script { script in
            script.replace = { _, response in
                var response = response
                response.body = []
                response.status = 204
                return response
            }
        }
        #expect(SampleToken.name(of: try await app.establish().companions["session"]) == "session-2")
    }

    @Test func `Kotlin: a callback with nothing but an access token is taken`() async throws {
        let app = try SampleApp()
        let token = SampleToken.make("session", 9, ends: app.time.now.wall + .seconds(3600))
        let browser = app.agent(["\(SampleApp.redirect)?accessToken=\(token)"], givesUp: true)
        await #expect(throws: SampleApp.Declined.self) { try await app.establish(browser) }
        #expect(browser.refused == 1)
        #expect(app.service.requests.isEmpty)
    }

    @Test func `samples: the NSDK refresh token that step 3 returns is thrown away`() async throws {
        let app = try SampleApp()
        let held = try await app.renew(try await app.establish())
        #expect(SampleToken.name(of: held.refreshToken) == "refresh-2")
        app.service.forgetRequests()
        _ = try await app.renew(held)
        #expect(app.service.grants == ["refresh_build_access_token"])
    }

    @Test func `C#: the session token is stored only when steps 2 and 3 succeed`() async throws {
        let app = try SampleApp()
        app.service.script { script in
            script.replace = { grant, response in
                var response = response
                if grant == "exchange_build_refresh_token" { response.status = 500 }
                return response
            }
        }
        _ = try await app.session().signIn(through: app.person())
        #expect(SampleToken.name(of: try await app.stored()?.companions["session"]) == "session-2")
    }

    @Test func `all: host and path of a callback are not looked at`() {
        let address = CallbackAddress(scheme: "nsdk-samples")
        #expect(address.answer(in: "nsdk-samples://anything/else?refreshToken=t") == nil)
    }

    @Test func `Unity: any deep link ends the sign-in`() async throws {
        let app = try SampleApp()
        let person = app.agent(["\(SampleApp.redirect)?other=1", app.callback(app.service.browserSignIn())])
        _ = try await app.establish(person)
        #expect(person.refused == 1)
    }

    @Test func `Unity: the token of a callback is not percent-decoded`() async throws {
        let app = try SampleApp()
        let token = app.service.browserSignIn().replacing(".", with: "%2e")
        _ = try await app.establish(app.agent([app.callback(token)]))
        #expect(app.service.reuses == 0)
    }

    @Test func `Unity: the browser's sign-out is opened only for who is not signed in`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        #expect(try await app.provider.endSession(held, in: app.context) != nil)
        #expect(try await app.provider.endSession(try app.blank(), in: app.context) == nil)
    }

    @Test func `UPM: an end that nobody knows is taken for one that lies ahead`() throws {
        let info = try #require(AuthInfo(accessToken: Secret(SampleToken.jwt(["exp": 0]))))
        #expect(info.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_000_000)))
    }

    @Test func `samples and SDK differ at the boundary of 60 s: here it counts as expiring`() throws {
        let info = try #require(AuthInfo(accessToken: Secret(SampleToken.jwt(["exp": 1_800_000_060]))))
        #expect(info.isExpiredOrExpiringSoon(at: WallTime(seconds: 1_800_000_000)))
    }

    @Test func `SDK: times overflow in 2038`() {
        #expect(AuthInfo(accessToken: Secret(SampleToken.jwt(["exp": 2_147_483_648])))?.expirationTime == 2_147_483_648)
    }

    @Test func `Swift, Kotlin: only the session token's end is looked at, so the access token runs out`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        app.time.advance(by: .seconds(3545))
        #expect(SampleToken.name(of: try await app.session().token().token) == "access-2")
    }

    @Test func `C#: the access token is renewed after its end, not before`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        let held = try #require(await app.stored())
        let wait = held.wait(untilRenewalBy: app.provider.traits.refresh, at: app.time.now)
        #expect(wait == .seconds(3540))
    }

    @Test func `Kotlin, C#: an outage clears what is stored`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        app.time.advance(by: .seconds(3600))
        app.service.script { script in
            script.replace = { _, response in
                var response = response
                response.status = 502
                return response
            }
        }
        await #expect(throws: NianticError.self) { try await app.session().token() }
        #expect(try await app.stored()?.state == .signedIn)
        app.service.script { $0.replace = { $1 } }
        _ = try await app.session().token()
    }

    @Test func `all: a 401 is not told from a fault of the network`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.service.script { script in
            script.before = { _ in throw TransportError(.timedOut, delivery: .sentNoAnswer, detail: "Too slow.") }
        }
        await #expect(throws: TransportError.self) { try await app.renew(held) }
        app.service.script { $0.before = { _ in } }
        app.service.withState { state in
            state.session = ""
            state.refreshTokens = []
        }
        #expect(try await failure { try await app.renew(held) }.remedy == .signInAgain)
    }

    @Test func `all: two starts rotate twice`() async throws {
        let app = try SampleApp()
        let vault = try await app.vault()
        _ = try await app.session(vault: vault).signIn(through: app.person())
        app.time.advance(by: .seconds(86_400))
        app.service.forgetRequests()
        let (one, two) = (try await app.session(vault: vault), try await app.session())
        async let first = one.token()
        async let second = two.token()
        let tokens = try await [first.token.value, second.token.value]
        #expect(tokens[0] == tokens[1])
        #expect(app.service.grants.count == 3)
    }

    @Test func `all: the token lies in clear in the preferences`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        let held = try #require(await app.stored())
        let tokens = [held.refreshToken, held.companions["session"], held.accessTokens[.primary]]
            .compactMap { $0?.value.reveal() }
        #expect(tokens.count == 3)
        let records = try await app.store.list(after: nil, limit: 100)
        #expect(!records.isEmpty)
        for listed in records {
            let record = try #require(try await app.store.load(listed.key))
            #expect(!record.payload.isEmpty)
            let kept = String(decoding: record.metadata + record.payload, as: UTF8.self)
            #expect(!tokens.contains(where: kept.contains))
        }
    }

    @Test func `all: a log shows the last four characters of tokens`() async throws {
        let app = try SampleApp()
        let tracer = RecordingTracer()
        let callback = app.service.browserSignIn()
        let held = try await Trace.$tracer.withValue(tracer) {
            try await app.renew(try await app.establish(app.agent([app.callback(callback)])))
        }
        let kept = [held.refreshToken, held.companions["session"], held.accessTokens[.primary]]
            .compactMap { $0?.value.reveal() }
        #expect(kept.count == 3)
        #expect(tracer.lines.filter { $0.hasPrefix("Step ") }.count == 3)
        let ends = ([callback] + kept).map { String($0.suffix(4)) }
        #expect(ends.allSatisfy { $0.utf8.count == 4 && $0.contains("-_") })
        #expect(!tracer.lines.contains { line in ends.contains(where: line.contains) })
    }

    @Test func `Swift: a cookie jar sends an old session token now and then`() async throws {
        let app = try SampleApp()
        var held = try await app.signedIn()
        for round in 0..<4 {
            held.refreshToken = nil
            let before = held.companions["session"]
            held = try await app.renew(held)
            let sent = app.service.requests[round * 3].fields.all(named: "cookie")
            #expect(sent == ["refresh_token=\(before?.value.reveal() ?? "")"])
        }
        #expect(app.service.reuses == 0)
    }

    @Test func `all: expiresAt of step 1 is another token's`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        #expect(held.companions["session"]?.expiry != .at(app.time.now.wall + .seconds(60)))
    }

    @Test func `C#: an operation runs although nobody is authorized`() async throws {
        let app = try SampleApp()
        let access = NSDKAccess(try await app.session(), scheduler: RefreshScheduler(time: app.time), time: app.time)
        var rule = AuthorizationRetry()
        rule.authorizationWait = .zero
        let runs = Recorder<Int>()
        let error = try await failure { try await rule.run(on: access, time: app.time) { _ in runs.add(1) } }
        #expect(error.reason == .authorizationTimedOut)
        #expect(runs.all.isEmpty)
        await access.stop()
    }

    @Test func `Sites: 403 is told as a lack of permission alone, or of authentication alone`() throws {
        let error = try serviceFailure(403)
        #expect(error.reason == .notPermitted)
        #expect(error.detail.contains("scope") && error.detail.contains("not taken"))
    }

    @Test func `SDK: whether an empty token clears is not agreed: here it does`() async throws {
        let app = try SampleApp()
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        let access = NSDKAccess(session, scheduler: RefreshScheduler(time: app.time), time: app.time)
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        await access.start()
        try await access.logout()
        #expect(sink.given.last == "cleared")
        await subscription.cancel()
    }
}
