import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What is taken for the answer of a sign-in, and what is not.
@Suite struct CallbackTests {
    /// Brings one bad callback, then a good one; the bad one must have been refused and never sent.
    private func refused(_ query: (SampleApp) -> String) async throws -> Bool {
        let app = try SampleApp()
        let bad = "\(SampleApp.redirect)?" + query(app)
        let person = app.agent([bad, app.callback(app.service.browserSignIn())])
        let held = try await app.establish(person)
        #expect(app.service.requests.count == 1)
        #expect(held.state == .signedIn)
        return person.refused == 1
    }

    @Test func `one without a token is ignored and waiting goes on`() async throws {
        #expect(try await refused { _ in "accessToken=abc" })
    }

    @Test func `one with two tokens is ignored`() async throws {
        #expect(
            try await refused { app in
                let token = app.service.browserSignIn()
                return "refreshToken=\(token)&refreshToken=\(token)"
            }
        )
    }

    @Test func `one with the token under another spelling is ignored`() async throws {
        #expect(try await refused { "RefreshToken=\($0.service.browserSignIn())" })
    }

    @Test(arguments: ["", "abc", "a.b.c", "e30.e30.", "e30..e30", "%00", "e30.e30.e30 x"])
    func `one whose token is no JWT is ignored`(_ token: String) async throws {
        #expect(try await refused { _ in "refreshToken=\(token)" })
    }

    @Test func `one whose token has no end is ignored`() async throws {
        #expect(try await refused { _ in "refreshToken=\(SampleToken.make("session", 9, ends: nil))" })
    }

    @Test func `one whose token has ended, or ends at this very moment, is ignored`() async throws {
        for seconds in [-1, 0] as [Int64] {
            #expect(
                try await refused { app in
                    "refreshToken=\(SampleToken.make("session", 9, ends: app.time.now.wall + .seconds(seconds)))"
                }
            )
        }
    }

    @Test func `the token may be percent-encoded`() async throws {
        let app = try SampleApp()
        let token = app.service.browserSignIn().replacing(".", with: "%2E")
        _ = try await app.establish(app.agent([app.callback(token)]))
        #expect(SampleToken.name(of: IdentityService.cookie(app.service.requests[0])) == "session-1")
    }

    @Test func `an access token beside it is not used`() async throws {
        let app = try SampleApp()
        let callback = app.callback(app.service.browserSignIn()) + "&accessToken=forged"
        let held = try await app.establish(app.agent([callback]))
        #expect(held.accessTokens.isEmpty)
    }

    @Test func `a token that a stored sign-in came by is not taken twice`() async throws {
        let app = try SampleApp()
        let token = app.service.browserSignIn()
        let held = try await app.establish(app.agent([app.callback(token)]))
        #expect(!held.attributes.values.contains { $0.contains(token) })
        let person = app.agent([app.callback(token), app.callback(app.service.browserSignIn())])
        _ = try await app.establish(person, previous: held)
        #expect(person.refused == 1)
        #expect(app.service.reuses == 0)
    }

    @Test func `a token whose signature fails is not sent`() async throws {
        struct Wrong: Error {}
        let app = try SampleApp(check: { _, kind in if kind == .session { throw Wrong() } })
        let error = try await failure { try await app.establish() }
        #expect(error.reason == .invalidSessionToken)
        #expect(error.isProtocolViolation)
        #expect(app.service.requests.isEmpty)
    }

    @Test func `keys that cannot be had now are told as such`() async throws {
        let app = try SampleApp(check: { _, _ in
            throw TransportError(.timedOut, delivery: .notSent, detail: "No keys.")
        })
        #expect(try await failure { try await app.establish() }.remedy == .retry(after: nil))
    }
}
