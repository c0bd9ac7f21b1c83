import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What is assumed where nothing is documented can be set otherwise: each value, and what it changes.
@Suite struct AssumptionTests {
    private func app(_ change: (inout IdentityAssumptions) -> Void) throws -> SampleApp {
        try SampleApp { change(&$0.assumptions) }
    }

    private func answer(_ app: SampleApp, with status: Int) {
        app.service.script { script in
            script.replace = { grant, response in
                guard grant == "refresh_build_access_token" else { return response }
                var response = response
                response.status = status
                response.body = Array(#"{"error":"no"}"#.utf8)
                return response
            }
        }
    }

    @Test func `the values that are shipped`() {
        let shipped = NianticConfiguration().assumptions
        #expect(shipped.refusalStatuses == [400, 401, 403])
        #expect(shipped.transientStatuses == [408, 409, 423, 425, 429])
        #expect(shipped.missingCookie == .keepsToken)
        #expect(shipped.deletedCookie == .endsSession)
        #expect(shipped.promisedLifetime == .seconds(3600))
        #expect(shipped.callbackLeeway == .zero)
        #expect(shipped.nsdkSubject == .anybody)
        #expect(shipped.configurationErrors == ["unsupported_grant_type", "invalid_client", "unauthorized_client"])
        #expect(shipped.transientErrors.contains("slow_down") && shipped.transientErrors.count == 5)
        #expect(shipped.refusalPage == .nobodysWord)
        #expect(shipped.undatedToken == .usable)
    }

    @Test(arguments: [
        (nil, "refresh_refused"), ("configuration", "request_refused"), ("not now", "unavailable"),
    ])
    func `the words of an error can be made to mean something else`(_ meaning: String?, _ code: String) async throws {
        let app = try app { assumptions in
            if meaning == "configuration" { assumptions.configurationErrors.insert("no") }
            if meaning == "not now" { assumptions.transientErrors.insert("no") }
        }
        var held = try await app.signedIn()
        held.companions = [:]
        answer(app, with: 403)
        #expect(try await failure { try await app.renew(held) }.code == code)
    }

    @Test(arguments: [
        (IdentityAssumptions.PageMeaning.nobodysWord, 401, "unavailable"), (.refusal, 401, "refresh_refused"),
        (.refusal, 422, "unavailable"),
    ])
    func `a page with a refusal's status can be made a refusal`(
        _ meaning: IdentityAssumptions.PageMeaning,
        _ status: Int,
        _ code: String
    ) async throws {
        let app = try app { $0.refusalPage = meaning }
        var held = try await app.signedIn()
        held.companions = [:]
        app.service.script { script in
            script.replace = { _, response in
                HTTPResponse(
                    status: status,
                    fields: [HTTPField("Content-Type", "text/html")],
                    body: Array("<html>Who are you?</html>".utf8),
                    url: response.url,
                    receivedAt: response.receivedAt
                )
            }
        }
        #expect(try await failure { try await app.renew(held) }.code == code)
    }

    @Test func `a refresh token of which nobody says when it ends can be made one that has ended`() async throws {
        for (meaning, grants) in [
            (IdentityAssumptions.UndatedToken.usable, ["refresh_build_access_token"]),
            (
                .ended,
                ["refresh_user_session_access_token", "exchange_build_refresh_token", "refresh_build_access_token"]
            ),
        ] {
            let app = try app { $0.undatedToken = meaning }
            var held = try await app.signedIn()
            let refresh = try #require(held.refreshToken)
            held.refreshToken = HeldToken(refresh.value, type: refresh.type, expiry: .unknown)
            _ = try await app.renew(held)
            #expect(app.service.grants == grants)
        }
    }

    /// Puts a token of a step's answer in the place of the real one.
    private func answer(_ app: SampleApp, _ member: String, _ token: String) {
        app.service.script { $0.claims = { _, body in if body[member] != nil { body[member] = .string(token) } } }
    }

    @Test(arguments: ["buildRefreshToken", "buildAccessToken"])
    func `an NSDK token can be held to the session's account`(_ member: String) async throws {
        let app = try app { $0.nsdkSubject = .sessionSubject }
        let signedIn = try await app.establish()
        let end = app.time.now.wall + .seconds(9999)
        let other = SampleToken.make("other", 7, subject: "attacker", ends: end)
        answer(app, member, other)
        let journal = StepJournal()
        let error = try await failure { try await app.renew(signedIn, TokenRequest(reason: .forced), journal) }
        #expect(error.reason == .accountChanged && error.isProtocolViolation)
        for commit in journal.commits.map(\.credential) {
            #expect(commit.refreshToken?.value != Secret(other))
            #expect(commit.accessTokens.isEmpty)
        }
    }

    @Test func `an NSDK token that names somebody else, or nobody, is taken where nothing is assumed of it`()
        async throws
    {
        let app = try app { _ in }
        let end = app.time.now.wall + .seconds(9999)
        for subject in ["build-17", nil] {
            let other = SampleToken.make("other", 7, subject: subject, ends: end)
            answer(app, "buildAccessToken", other)
            let held = try await app.renew(try await app.establish())
            #expect(held.accessTokens[.primary]?.value == Secret(other))
        }
    }

    @Test func `an NSDK token that names nobody contradicts nobody`() async throws {
        let app = try app { $0.nsdkSubject = .sessionSubject }
        let unnamed = SampleToken.make("other", 7, subject: nil, ends: app.time.now.wall + .seconds(9999))
        answer(app, "buildAccessToken", unnamed)
        let held = try await app.renew(try await app.establish())
        #expect(held.accessTokens[.primary]?.value == Secret(unnamed))
    }

    @Test(arguments: [(422, false, "request_refused"), (422, true, "refresh_refused")])
    func `a status can be made a refusal`(_ status: Int, _ isRefusal: Bool, _ code: String) async throws {
        let app = try app { if isRefusal { $0.refusalStatuses.insert(status) } }
        var held = try await app.signedIn()
        held.companions = [:]
        answer(app, with: status)
        #expect(try await failure { try await app.renew(held) }.code == code)
    }

    @Test func `a refusal can be made one that passes`() async throws {
        let app = try app { $0.transientStatuses.insert(403) }
        var held = try await app.signedIn()
        held.companions = [:]
        answer(app, with: 403)
        let error = try await failure { try await app.renew(held) }
        #expect(error.reason == .unavailable && error.remedy == .retry(after: nil))
    }

    @Test func `a missing cookie can be made the session's end`() async throws {
        for (meaning, expected) in [
            (IdentityAssumptions.CookieMeaning.keepsToken, nil), (.endsSession, NianticError.Code.sessionRevoked),
        ] {
            let app = try app { $0.missingCookie = meaning }
            app.service.script { $0.rotates = false }
            if let expected {
                #expect(try await failure { try await app.establish() }.reason == expected)
            } else {
                let held = try await app.establish()
                #expect(SampleToken.name(of: held.companions["session"]) == "session-1")
            }
        }
    }

    @Test func `a deleted cookie can be made to mean nothing, at steps 1 and 2`() async throws {
        let app = try app { $0.deletedCookie = .keepsToken }
        let deletion = HTTPField("Set-Cookie", "refresh_token=; Max-Age=0")
        app.service.script { script in
            script.rotates = false
            script.replace = { grant, response in
                guard grant != "refresh_build_access_token" else { return response }
                var response = response
                response.fields = response.fields.filter { $0.name.lowercased() != "set-cookie" } + [deletion]
                return response
            }
        }
        let held = try await app.renew(try await app.establish())
        #expect(SampleToken.name(of: held.companions["session"]) == "session-1")
        #expect(SampleToken.name(of: held.accessTokens[.primary]) == "access-1")
    }

    @Test func `the lifetime that a service account is promised can be set`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let service = IdentityService()
        service.script { script in
            script.claims = { _, body in
                body["expiresAt"] = nil
                body["accessToken"] = "opaque"
            }
        }
        var configuration = NianticConfiguration()
        configuration.identityURL = IdentityService.url
        configuration.assumptions.promisedLifetime = .seconds(900)
        let provider = try ServiceAccountProvider(
            ServiceAccount(name: "a", keyFile: try place.write("key-1")),
            configuration: configuration,
            transport: service.transport
        )
        let vault = try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
        let id = provider.credentialID(slot: "a")
        let issued = try await Session(id, provider: provider, vault: vault, time: service.time).token()
        #expect(issued.token.expiry.remaining(at: service.time.now) == .lasts(.seconds(900)))
    }

    @Test func `a callback's token may have ended by the leeway, and no longer`() async throws {
        for (leeway, age, isTaken) in [(0, 0, false), (60, 59, true), (60, 60, false)] as [(Int64, Int64, Bool)] {
            let app = try app { $0.callbackLeeway = .seconds(leeway) }
            let token = app.service.browserSignIn(ends: .seconds(-age))
            let browser = app.agent([app.callback(token)], givesUp: true)
            if isTaken {
                let held = try await app.establish(browser)
                #expect(SampleToken.name(of: held.companions["session"]) == "session-2")
            } else {
                await #expect(throws: SampleApp.Declined.self) { try await app.establish(browser) }
            }
            #expect(browser.refused == (isTaken ? 0 : 1), "\(leeway) \(age)")
        }
    }

    @Test(arguments: [200, 302, 500])
    func `no success, redirect or server's fault can be made a refusal`(_ status: Int) throws {
        let error = #expect(throws: NianticError.self) { try app { $0.refusalStatuses.insert(status) } }
        #expect(error?.reason == .invalidConfiguration)
    }

    @Test func `nothing is counted backwards`() {
        #expect(throws: NianticError.self) { try app { $0.callbackLeeway = .seconds(-1) } }
        #expect(throws: NianticError.self) { try app { $0.promisedLifetime = .seconds(-1) } }
    }
}
