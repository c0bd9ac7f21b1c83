import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// Which steps a renewal makes, and what is durable when.
@Suite struct RenewalTests {
    private let full = [
        "refresh_user_session_access_token", "exchange_build_refresh_token", "refresh_build_access_token",
    ]

    @Test func `step 3 alone will do while the NSDK refresh token works`() async throws {
        let app = try SampleApp()
        let renewed = try await app.renew(try await app.signedIn())
        #expect(app.service.grants == ["refresh_build_access_token"])
        #expect(SampleToken.name(of: renewed.accessTokens[.primary]) == "access-2")
        #expect(SampleToken.name(of: renewed.refreshToken) == "refresh-3")
        #expect(SampleToken.name(of: renewed.companions["session"]) == "session-2")
    }

    @Test func `a refused NSDK refresh token leads to steps 1 to 3`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.service.withState { $0.refreshTokens = [] }
        let renewed = try await app.renew(held)
        #expect(app.service.grants == ["refresh_build_access_token"] + full)
        #expect(SampleToken.name(of: renewed.companions["session"]) == "session-3")
        #expect(SampleToken.name(of: renewed.accessTokens[.primary]) == "access-2")
    }

    @Test func `an NSDK refresh token that has ended leads to steps 1 to 3`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.time.advance(by: .seconds(86_400))
        _ = try await app.renew(held)
        #expect(app.service.grants == full)
    }

    @Test func `a session token that nears its end is rotated though the rest still lives`() async throws {
        let app = try SampleApp()
        app.service.script { $0.refreshLifetime = .seconds(90 * 86_400) }
        let held = try await app.signedIn()
        app.time.advance(by: .seconds(30 * 86_400 - 50))
        let renewed = try await app.renew(held)
        #expect(app.service.grants == full)
        #expect(renewed.companions["session"]?.expiry == .at(app.time.now.wall + .seconds(30 * 86_400)))
    }

    @Test func `the NSDK refresh token serves on after the session token has ended`() async throws {
        let app = try SampleApp()
        app.service.script { $0.refreshLifetime = .seconds(90 * 86_400) }
        let held = try await app.signedIn()
        app.time.advance(by: .seconds(30 * 86_400))
        _ = try await app.renew(held)
        #expect(app.service.grants == ["refresh_build_access_token"])
    }

    @Test func `when both have ended nothing is sent and a person must sign in`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.time.advance(by: .seconds(31 * 86_400))
        let error = try await failure { try await app.renew(held) }
        #expect(error.reason == .sessionEnded)
        #expect(error.remedy == .signInAgain)
        #expect(error.delivery == nil)
        #expect(app.service.requests.isEmpty)
    }

    @Test func `an NSDK refresh token of whose use no answer came is not sent again if there is another way`()
        async throws
    {
        let app = try SampleApp()
        var held = try await app.signedIn()
        let spent = try #require(held.refreshToken)
        held.intents[spent.fingerprint] = Intent(sends: 1, at: app.time.now.wall)
        let renewed = try await app.renew(held)
        #expect(app.service.grants == full)
        #expect(renewed.refreshToken != spent)
        #expect(app.service.reuses == 0)
    }

    @Test func `the rotated session token is durable before step 2, the refresh token before step 3`() async throws {
        let app = try SampleApp()
        var held = try await app.signedIn()
        held.refreshToken = nil
        let journal = StepJournal()
        _ = try await app.renew(held, TokenRequest(), journal)
        #expect(app.service.grants == full)
        #expect(journal.commits.map(\.after) == [1, 2])
        #expect(SampleToken.name(of: journal.commits[0].credential.companions["session"]) == "session-3")
        #expect(SampleToken.name(of: journal.commits[1].credential.refreshToken) == "refresh-3")
        #expect(journal.intents == ["session-2", "refresh-3"])
    }

    @Test func `a new NSDK refresh token is kept when nothing else of step 3 can be used`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.service.script { $0.claims = { kind, body in if kind == "access" { body["buildAccessToken"] = nil } } }
        let journal = StepJournal()
        let error = try await failure { try await app.renew(held, TokenRequest(), journal) }
        #expect(error.reason == .malformedAnswer)
        #expect(error.delivery == .answered)
        #expect(SampleToken.name(of: journal.commits.last?.credential.refreshToken) == "refresh-3")
        #expect(journal.commits.last?.credential.accessTokens == held.accessTokens)
    }

    @Test func `an unrotated NSDK refresh token keeps its own end, whatever expiresAt says`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.service.script { $0.rotates = false }
        let renewed = try await app.renew(held)
        #expect(renewed.refreshToken == held.refreshToken)
    }

    @Test func `an answer without a new NSDK refresh token keeps the old one`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.service.script { $0.claims = { kind, body in if kind == "access" { body["buildRefreshToken"] = nil } } }
        #expect(try await app.renew(held).refreshToken == held.refreshToken)
    }

    @Test func `audience, scope and resources are refused without a request`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        for request in [TokenRequest(audience: "a"), TokenRequest(scope: Scope("s")), TokenRequest(resources: ["r"])] {
            #expect(try await failure { try await app.renew(held, request) }.remedy == .fixConfiguration)
        }
        #expect(app.service.requests.isEmpty)
    }

    @Test func `an access token whose signature fails is given to nobody, and the refresh token is kept`() async throws
    {
        struct Wrong: Error {}
        let app = try SampleApp(check: { _, kind in if kind == .access { throw Wrong() } })
        let held = try await app.establish()
        let journal = StepJournal()
        let error = try await failure { try await app.renew(held, TokenRequest(), journal) }
        #expect(error.reason == .tokenRejected)
        #expect(SampleToken.name(of: journal.commits.last?.credential.refreshToken) == "refresh-2")
        #expect(journal.commits.last?.credential.accessTokens.isEmpty == true)
    }

    @Test func `cancellation is passed on as it is`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.service.script { $0.before = { _ in throw CancellationError() } }
        await #expect(throws: CancellationError.self) { try await app.renew(held) }
    }

    @Test func `the policy is the vendor's: 60 s ahead, looked at each 10 s, the session token kept alive`() throws {
        var policy = try SampleApp().provider.traits.refresh
        #expect(policy.lead == .seconds(60))
        #expect(policy.checkInterval == .seconds(10))
        #expect(policy.watchedCompanions == ["session"])
        #expect(policy.mode == .proactive)
        policy.watchedCompanions = []
        #expect(policy == .niantic)
        #expect(try SampleApp().provider.traits.needsSignIn)
    }
}
