import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "File structure", the table of the Kotlin sample, row by row: what stands in the place of each file.
@Suite(.timeLimit(.minutes(1))) struct KotlinFileTableTests {
    @Test func `LoginManager.kt: opens browser login and handles the deep-link callback of the expected scheme alone`()
        async throws
    {
        let foreign = ["other-app://signin/redirect", "nsdk-samples://other/redirect", ""]
        try await FileRow.loginManager(.samples, foreign: foreign)
    }

    @Test func `NSSampleSessionManager.kt: session token lifecycle, refresh loop and exchange, both near end`()
        async throws
    {
        let grants = try await FileRow.sessionManager(session: .seconds(600), access: .seconds(600))
        #expect(grants == FileRow.threeSteps)
    }

    @Test func `NSSampleSessionManager.kt: a renewal that fails for now clears neither the token nor the storage`()
        async throws
    {
        let app = try SampleApp()
        let access = NSDKAccess(
            try await app.session(),
            scheduler: RefreshScheduler(time: ManualTime()),
            time: app.time
        )
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        try await access.login(through: app.person())
        await access.start()
        app.service.script { script in
            script.before = { _ in throw TransportError(.cannotConnect, delivery: .notSent, detail: "No network.") }
        }
        let issued = try await access.session.token(for: TokenRequest(reason: .forced))
        #expect((issued.renewalFailure as? any ProviderFailure)?.delivery == .notSent)
        #expect(SampleToken.name(of: issued.token) == "access-1")
        #expect(SampleToken.name(of: try await app.stored()?.companions["session"]) == "session-2")
        app.service.script { $0.before = { _ in } }
        _ = try await access.session.token(for: TokenRequest(reason: .forced))
        await sink.wait(for: 2)
        #expect(sink.given == ["access-1", "access-2"])
        await access.stop()
        await subscription.cancel()
    }

    @Test func `AuthRequests.kt: HTTP requests of the three token exchange calls`() async throws {
        let (app, held) = try await FileRow.authRequests()
        app.service.forgetRequests()
        let renewed = try await app.renew(held)
        // What step 3 returned is what the next step 3 sends.
        let request = try #require(app.service.requests.first)
        let sent = IdentityService.body(request)["buildRefreshToken"]?.string
        #expect(app.service.grants == ["refresh_build_access_token"])
        #expect(SampleToken.name(of: sent) == "refresh-2")
        #expect(SampleToken.name(of: renewed.accessTokens[.primary]) == "access-2")
    }

    @Test func `AuthManager.kt: orchestrates login and logout and connects login state to the NSDK session`()
        async throws
    {
        let app = try SampleApp()
        let access = NSDKAccess(
            try await app.session(),
            scheduler: RefreshScheduler(time: app.time),
            time: app.time
        )
        let sink = TokenSink()
        let subscription = await access.subscribe(sink)
        #expect(access.session.state == .signedOut)
        #expect(await !access.isAuthorized)
        let report = try await access.login(through: app.person())
        #expect(report.account?.subject == "user-1")
        #expect(access.session.state == .signedIn)
        #expect(await access.isAuthorized)
        #expect(sink.given == ["access-1"])
        #expect(try await access.logout().wasSignedIn)
        #expect(access.session.state == .signedOut)
        #expect(await !access.isAuthorized)
        #expect(sink.given == ["access-1", "cleared"])
        await subscription.cancel()
    }

    @Test func `AuthUtils.kt: JWT parsing, token validation and expiration checks, the end as digits in a string`()
        throws
    {
        try FileRow.authUtils(exp: .string("1800003600"))
    }

    @Test func `AuthConstants.kt: endpoint URLs and callback scheme configuration`() async throws {
        try await FileRow.endpoints(.external)
    }

    @Test func `TokenStorage.kt: persistent token storage abstraction, another process restores from it`() async throws
    {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        app.service.forgetRequests()
        let restored = try await app.session().token()
        #expect(SampleToken.name(of: restored.token) == "access-1")
        #expect(!restored.refreshed)
        #expect(app.service.requests.isEmpty)
        // Another storage has nothing of it.
        let elsewhere = try await SampleApp(app.service).session()
        await #expect {
            try await elsewhere.token()
        } throws: { ($0 as? SessionError)?.reason == .signInNeeded }
    }

    @Test func `TokenStorage.kt: persistent token storage abstraction, what is stored is sealed`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        let held = try #require(await app.stored())
        let tokens = [held.companions["session"], held.refreshToken, held.accessTokens[.primary]].compactMap { $0 }
        try #require(tokens.count == 3)
        var payloads: [String] = []
        for listed in try await app.store.list(after: nil, limit: 100) {
            guard let record = try await app.store.load(listed.key), !record.payload.isEmpty else { continue }
            payloads.append(String(decoding: record.payload, as: UTF8.self))
        }
        #expect(!payloads.isEmpty)
        for token in tokens { #expect(!payloads.contains { $0.contains(token.value.reveal()) }) }
    }

    @Test func `AuthRetryHelper.kt: an operation that requires authorization is retried, a cancelled one is not`()
        async throws
    {
        try await FileRow.authRetryHelper()
        let app = try SampleApp()
        let access = try await FileRow.started(app)
        let runs = Recorder<Int>()
        await #expect(throws: CancellationError.self) {
            try await ClockWalk.waking(app.time) {
                try await AuthorizationRetry().run(on: access, time: app.time) { (_: Secret) -> String in
                    runs.add(1)
                    throw CancellationError()
                }
            }
        }
        #expect(runs.all == [1])
    }
}
