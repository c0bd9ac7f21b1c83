import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// The table "Token exchange detail" of the sample login's document, row by row.
@Suite struct ExchangeTableTests {
    @Test func `row 1: refresh_user_session_access_token with the session token returns the rotated one in Set-Cookie`()
        async throws
    {
        let app = try SampleApp()
        let held = try await app.establish()
        let request = try #require(app.service.requests.first)
        #expect(app.service.grants == ["refresh_user_session_access_token"])
        #expect(SampleToken.name(of: IdentityService.cookie(request)) == "session-1")
        #expect(IdentityService.body(request).names == ["grantType"])
        #expect(SampleToken.name(of: held.companions["session"]) == "session-2")
    }

    @Test func `row 2: exchange_build_refresh_token with the session token returns an NSDK refresh token`() async throws
    {
        let app = try SampleApp()
        let established = try await app.establish()
        let journal = StepJournal()
        _ = try await app.renew(established, TokenRequest(), journal)
        let request = app.service.requests[1]
        #expect(app.service.grants[1] == "exchange_build_refresh_token")
        #expect(SampleToken.name(of: IdentityService.cookie(request)) == "session-2")
        #expect(IdentityService.body(request).names == ["grantType"])
        #expect(SampleToken.name(of: journal.commits.last?.credential.refreshToken) == "refresh-1")
    }

    @Test func `row 3: refresh_build_access_token with the NSDK refresh token returns an access token`() async throws {
        let app = try SampleApp()
        let held = try await app.renew(try await app.establish())
        let request = app.service.requests[2]
        let body = IdentityService.body(request)
        #expect(app.service.grants[2] == "refresh_build_access_token")
        #expect(SampleToken.name(of: body["buildRefreshToken"]?.string) == "refresh-1")
        #expect(request.fields.first(named: "cookie") == nil)
        #expect(SampleToken.name(of: held.accessTokens[.primary]) == "access-1")
        #expect(SampleToken.name(of: held.refreshToken) == "refresh-2")
    }

    @Test func `all requests are POST of JSON to one endpoint, sent once, without other credentials`() async throws {
        let app = try SampleApp()
        _ = try await app.renew(try await app.establish())
        #expect(app.service.requests.count == 3)
        for request in app.service.requests {
            #expect(request.method == "POST")
            #expect(request.url.text == "https://identity.example/oauth/token")
            #expect(request.fields.first(named: "authorization") == nil)
            #expect(!request.mayResend && request.redirects == .never)
            #expect(request.deadline == .seconds(30))
            switch request.body {
            case .bytes(_, let type), .secretBytes(_, let type): #expect(type == "application/json")
            default: Issue.record("no JSON body")
            }
        }
    }

    @Test func `the default endpoint is that of the document`() {
        let configuration = NianticConfiguration()
        #expect(configuration.identityURL == "https://spatial-identity.nianticspatial.com")
        #expect(configuration.signInURL == "https://sample-app-frontend-internal.nianticspatial.com/signin")
        let provider = try? NianticProvider(configuration, transport: StubTransport())
        #expect(
            provider?.credentialID(slot: "a").issuer == "https://spatial-identity.nianticspatial.com/oauth/token"
        )
    }

    @Test func `the three steps run in order, and each uses what the one before brought`() async throws {
        let app = try SampleApp()
        _ = try await app.renew(try await app.establish())
        #expect(
            app.service.grants == [
                "refresh_user_session_access_token", "exchange_build_refresh_token", "refresh_build_access_token",
            ]
        )
        #expect(app.service.reuses == 0)
    }

    @Test func `a trace draws the three steps and shows no token`() async throws {
        let app = try SampleApp()
        let tracer = RecordingTracer()
        let token = app.service.browserSignIn()
        let held = try await Trace.$tracer.withValue(tracer) {
            try await app.renew(try await app.establish(app.agent([app.callback(token)])))
        }
        let notes = tracer.lines.filter { $0.hasPrefix("Step ") }
        #expect(notes.count == 3)
        #expect(notes.enumerated().allSatisfy { $1.hasPrefix("Step \($0 + 1) of 3: ") })
        let secrets =
            [token]
            + [held.refreshToken, held.companions["session"], held.accessTokens[.primary]]
            .compactMap { $0?.value.reveal() }
        #expect(!tracer.lines.contains { line in secrets.contains(where: line.contains) })
    }
}
