import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// The bullets and paragraphs of "The sample login flow", each by name.
@Suite struct SignInFlowTests {
    @Test func `browser login: the sign-in page is opened with redirectType`() async throws {
        let app = try SampleApp()
        let person = app.person()
        _ = try await app.establish(person)
        #expect(person.urls == ["https://site.example/signin?redirectType=nsdk-samples"])
        #expect(person.redirects == ["nsdk-samples://signin/redirect"])
    }

    @Test(arguments: ["nsdk-samples", "nsdk-external", "nsdk-unity-samples"])
    func `callback scheme: the redirect has the format SCHEME://signin/redirect`(_ scheme: String) async throws {
        let app = try SampleApp { $0.redirectType = .scheme(scheme) }
        let person = ScriptedBrowser(
            redirect: "\(scheme)://signin/redirect",
            callbacks: ["\(scheme)://signin/redirect?refreshToken=\(app.service.browserSignIn())"]
        )
        _ = try await app.establish(person)
        #expect(person.redirects == ["\(scheme)://signin/redirect"])
        #expect(person.urls == ["https://site.example/signin?redirectType=\(scheme)"])
    }

    @Test func `callback scheme: no other scheme is asked for unless it is allowed`() async throws {
        #expect(throws: NianticError.self) { try SampleApp { $0.redirectType = .scheme("my-app") } }
        let app = try SampleApp { configuration in
            configuration.redirectType = .scheme("my-app")
            configuration.allowedSchemes.insert("my-app")
        }
        #expect(app.provider.configuration.redirectURIs == ["my-app://signin/redirect"])
    }

    @Test func `loopback: the port goes to the page and the name of the token is compared without case`() async throws {
        let app = try SampleApp { $0.redirectType = .unityEditor }
        let token = app.service.browserSignIn()
        let person = ScriptedBrowser(
            redirect: "http://127.0.0.1:49152/login/success",
            callbacks: ["http://127.0.0.1:49152/login/success?RefreshToken=\(token)"]
        )
        let held = try await app.establish(person)
        #expect(person.redirects == ["http://127.0.0.1:0/login/success"])
        #expect(person.urls == ["https://site.example/signin?redirectType=unity-editor&port=49152"])
        #expect(SampleToken.name(of: held.companions["session"]) == "session-2")
    }

    @Test func `loopback: an agent that would listen elsewhere gets no page`() async throws {
        let app = try SampleApp { $0.redirectType = .unityEditor }
        let person = ScriptedBrowser(redirect: "http://site.example:80/login/success", callbacks: [])
        #expect(try await failure { try await app.establish(person) }.reason == .invalidConfiguration)
        #expect(person.urls.isEmpty)
    }

    @Test func `establish: the session token of the callback is what step 1 sends`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        #expect(SampleToken.name(of: IdentityService.cookie(app.service.requests[0])) == "session-1")
        #expect(held.account?.issuer == "https://identity.example")
        #expect(held.account?.subject == "user-1")
        #expect(held.account?.displayName == "user-1@mail.example")
        #expect(held.accessTokens.isEmpty)
        #expect(held.signedInAt == app.time.now.wall)
    }

    @Test func `establish: the sign-in is stored before step 2, and step 3 brings the access token`() async throws {
        let app = try SampleApp()
        let stored = Recorder<String?>()
        app.service.script { script in
            script.before = { grant in
                guard grant == "exchange_build_refresh_token" else { return }
                let name = SampleToken.name(of: try await app.stored()?.companions["session"])
                stored.add(name)
            }
        }
        let report = try await app.session().signIn(through: app.person())
        #expect(stored.all == ["session-2"])
        #expect(report.account?.subject == "user-1")
        #expect(report.tokenFailure == nil)
        #expect(report.expiry == .at(app.time.now.wall + .seconds(3600)))
        #expect(SampleToken.name(of: try await app.stored()?.accessTokens[.primary]) == "access-1")
    }

    @Test func `establish: the page says that the person is signed in once everything is stored`() async throws {
        let app = try SampleApp()
        let person = app.person()
        _ = try await app.session().signIn(through: person)
        #expect(person.outcomes == [.signedIn(account: "user-1@mail.example")])
    }

    @Test func `exchange: a step 2 that fails for now ends no sign-in, and the next need goes on`() async throws {
        let app = try SampleApp()
        app.service.script { script in
            script.replace = { grant, response in
                guard grant == "exchange_build_refresh_token" else { return response }
                var response = response
                response.status = 503
                return response
            }
        }
        let report = try await app.session().signIn(through: app.person())
        #expect((report.tokenFailure as? NianticError)?.reason == .unavailable)
        #expect(try await app.stored()?.state == .signedIn)
        app.service.script { $0.replace = { $1 } }
        app.service.forgetRequests()
        #expect(SampleToken.name(of: try await app.session().token().token) == "access-1")
        // The rotated session token was never used since: it is not rotated again.
        #expect(app.service.grants == ["exchange_build_refresh_token", "refresh_build_access_token"])
    }

    @Test func `exchange: a step 2 that is refused ends the sign-in, and the page says so`() async throws {
        let app = try SampleApp()
        app.service.script { script in
            script.replace = { grant, response in
                guard grant == "exchange_build_refresh_token" else { return response }
                var response = response
                response.status = 403
                return response
            }
        }
        let person = app.person()
        let session = try await app.session()
        await #expect(throws: SessionError.self) { try await session.signIn(through: person) }
        // Nobody was signed in before, and nobody is now.
        #expect(try await app.stored()?.state == .signedOut)
        #expect(try await app.stored()?.companions.isEmpty == true)
        guard case .failed = person.outcomes.first else {
            Issue.record("the page was not told")
            return
        }
    }

    @Test func `only the access token is handed out`() async throws {
        let app = try SampleApp()
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        let issued = try await session.token()
        #expect(SampleToken.name(of: issued.token) == "access-1")
        #expect(issued.idToken == nil)
    }

    @Test func `nobody who comes in time ends the wait, with what a callback said`() async throws {
        let app = try SampleApp()
        let person = app.agent(["\(SampleApp.redirect)?error=access_denied&error_description=Cancelled%20by%20user"])
        async let outcome = failure { try await app.establish(person) }
        await app.time.waitForSleepers(1)
        while person.refused == 0 { await Task.yield() }
        app.time.advance(by: .seconds(120))
        let error = try await outcome
        #expect(error.reason == .signInTimedOut)
        #expect(error.remedy == .signInAgain)
        #expect(error.detail.contains("access_denied (Cancelled by user)"))
        #expect(app.service.requests.isEmpty)
    }
}
