import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "File structure", the table of the Unity sample, row by row: what stands in the place of each file.
@Suite(.timeLimit(.minutes(1))) struct UnityFileTableTests {
    @Test func `LoginManager.cs: opens browser login and handles the deep-link callback`() async throws {
        try await FileRow.loginManager(.unitySamples, foreign: ["nsdk-samples://signin/redirect"])
    }

    @Test func `NSSampleSessionManager.cs: session token lifecycle, refresh loop and exchange, access near end`()
        async throws
    {
        let grants = try await FileRow.sessionManager(session: .seconds(30 * 86_400), access: .seconds(600))
        #expect(grants == ["refresh_build_access_token"])
    }

    @Test func `AuthRequests.cs: HTTP requests of the three token exchange calls, never with a cookie of before`()
        async throws
    {
        let (app, held) = try await FileRow.authRequests()
        app.service.forgetRequests()
        app.service.withState { $0.refreshTokens = [] }
        _ = try await app.renew(held)
        #expect(app.service.grants == ["refresh_build_access_token"] + FileRow.threeSteps)
        let requests = app.service.requests
        try #require(requests.count == 4)
        #expect(SampleToken.name(of: IdentityService.cookie(requests[1])) == "session-2")
        #expect(SampleToken.name(of: IdentityService.cookie(requests[2])) == "session-3")
    }

    @Test func `AuthManager.cs: UI manager for login and logout, told by events`() async throws {
        let app = try SampleApp()
        let access = try await FileRow.started(app, signIn: false)
        var events = access.session.events.makeAsyncIterator()
        try await access.login(through: app.person())
        #expect(access.session.state == .signedIn)
        try await access.logout()
        #expect(access.session.state == .signedOut)
        var told: [SessionEvent] = []
        while told.last != .signedOut, let event = await events.next() { told.append(event) }
        let subjects = told.compactMap { event -> String? in
            guard case .signedIn(as: let account, _) = event else { return nil }
            return account?.subject
        }
        #expect(subjects == ["user-1"])
        #expect(told.last == .signedOut)
    }

    @Test func `AuthEndpoints.cs: configuration for endpoint URLs, where requests then go`() async throws {
        try await FileRow.endpoints(.unitySamples)
    }

    @Test func `AuthEndpoints.cs: configuration for endpoint URLs, refused before any login where it cannot work`()
        async throws
    {
        for url in ["", "http://id.app.example", "id.app.example"] {
            let error = try await failure { try SampleApp { $0.identityURL = url } }
            #expect(error.reason == .invalidConfiguration)
            #expect(error.remedy == .fixConfiguration)
        }
    }

    @Test func `AuthRetryHelper.cs: an operation that requires authorization is retried, and never run without it`()
        async throws
    {
        try await FileRow.authRetryHelper()
        let app = try SampleApp()
        let access = try await FileRow.started(app, signIn: false)
        let runs = Recorder<Int>()
        let error = try await failure {
            try await ClockWalk.waking(app.time) {
                try await AuthorizationRetry().run(on: access, time: app.time) { (_: Secret) -> String in
                    runs.add(1)
                    return ""
                }
            }
        }
        #expect(error.reason == .authorizationTimedOut)
        #expect(runs.all.isEmpty)
    }
}
