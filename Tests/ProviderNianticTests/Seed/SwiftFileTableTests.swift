import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// "File structure", the table of the Swift sample, row by row: what stands in the place of each file.
@Suite(.timeLimit(.minutes(1))) struct SwiftFileTableTests {
    @Test func `LoginManager.swift: opens browser login and handles the deep-link callback`() async throws {
        try await FileRow.loginManager(.samples, foreign: ["nsdk-external://signin/redirect"])
    }

    @Test func `NSSampleSessionManager.swift: session token lifecycle, refresh loop and exchange, session near end`()
        async throws
    {
        let grants = try await FileRow.sessionManager(session: .seconds(600), access: .seconds(3600))
        #expect(grants == FileRow.threeSteps)
    }

    @Test func `AuthRequests.swift: HTTP requests of the three token exchange calls`() async throws {
        let held = try await FileRow.authRequests().held
        #expect(SampleToken.name(of: held.accessTokens[.primary]) == "access-1")
        #expect(SampleToken.name(of: held.refreshToken) == "refresh-2")
        #expect(SampleToken.name(of: held.companions["session"]) == "session-2")
    }

    @Test func `AuthUtils.swift: JWT parsing, token validation and expiration checks`() throws {
        try FileRow.authUtils(exp: .integer(1_800_003_600))
    }

    @Test func `AuthConstants.swift: endpoint URLs and callback scheme configuration`() async throws {
        #expect(NianticConfiguration().redirectURIs == ["nsdk-samples://signin/redirect"])
        try await FileRow.endpoints(.samples)
    }

    @Test func `AuthRetryHelper.swift: an operation that requires authorization is retried, its timeout is thrown`()
        async throws
    {
        try await FileRow.authRetryHelper()
        let app = try SampleApp()
        let access = try await FileRow.started(app, signIn: false)
        let began = app.time.now
        let error = try await failure {
            try await ClockWalk.waking(app.time) {
                try await AuthorizationRetry().run(on: access, time: app.time) { $0.reveal() }
            }
        }
        #expect(error.reason == .authorizationTimedOut)
        #expect(app.time.now.since(began) >= .seconds(30))
    }
}
