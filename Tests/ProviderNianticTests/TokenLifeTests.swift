import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// When tokens end: every token's own end, from the answer and from itself, the earlier of both.
@Suite struct TokenLifeTests {
    /// The access token of step 3, whose answer is changed like this.
    private func access(_ change: @escaping @Sendable (inout JSONObject, WallTime) -> Void) async throws -> Duration? {
        let app = try SampleApp()
        let held = try await app.signedIn()
        let now = app.time.now.wall
        app.service.script { $0.claims = { kind, body in if kind == "access" { change(&body, now) } } }
        let token = try #require(try await app.renew(held).accessTokens[.primary])
        guard case .lasts(let rest) = token.expiry.remaining(at: app.time.now) else { return nil }
        return rest
    }

    private static func opaque(_ body: inout JSONObject) { body["buildAccessToken"] = "opaque" }

    @Test func `expiresAt counts in whole and fractional seconds, as digits, and in milliseconds when far too late`()
        async throws
    {
        let forms: [@Sendable (WallTime) -> JSONValue] = [
            { .integer($0.seconds + 100) }, { .string("\($0.seconds + 100)") }, { .string(" \($0.seconds + 100) ") },
            { .integer(($0.seconds + 100) * 1000) }, { .string("\(($0.seconds + 100) * 1000)") },
        ]
        for form in forms {
            let rest = try await access { body, now in
                Self.opaque(&body)
                body["expiresAt"] = form(now)
            }
            #expect(rest == .seconds(100))
        }
        let fraction = try await access { body, now in
            Self.opaque(&body)
            body["expiresAt"] = (try? JSONValue(parsing: Array("\(now.seconds + 100).5".utf8))) ?? .null
        }
        #expect(fraction == .milliseconds(100_500))
    }

    @Test func `the earlier of expiresAt and the token's exp counts`() async throws {
        #expect(try await access { body, now in body["expiresAt"] = .integer(now.seconds + 50) } == .seconds(50))
        #expect(try await access { body, now in body["expiresAt"] = .integer(now.seconds + 9999) } == .seconds(3600))
        #expect(try await access { body, _ in body["expiresAt"] = nil } == .seconds(3600))
    }

    @Test func `expiresIn counts where no time is known, from the receipt`() async throws {
        let rest = try await access { body, _ in
            Self.opaque(&body)
            body["expiresAt"] = nil
            body["expiresIn"] = 300
        }
        #expect(rest == .seconds(300))
    }

    @Test(arguments: ["soon", "", "-5", "0"])
    func `an access token that ends nobody knows when counts as ended`(_ text: String) async throws {
        let rest = try await access { body, _ in
            Self.opaque(&body)
            body["expiresAt"] = .string(text)
        }
        #expect(rest == .zero)
    }

    @Test func `the session token's end is its own, not that of step 1's answer`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        #expect(held.companions["session"]?.expiry == .at(app.time.now.wall + .seconds(30 * 86_400)))
    }

    @Test func `the NSDK refresh token's end is the earlier of expiresAt and exp`() async throws {
        let app = try SampleApp()
        let established = try await app.establish()
        let now = app.time.now.wall
        app.service.script { script in
            script.rotates = false
            script.claims = { kind, body in if kind == "refresh" { body["expiresAt"] = .integer(now.seconds + 77) } }
        }
        #expect(try await app.renew(established).refreshToken?.expiry == .at(now + .seconds(77)))
    }

    @Test func `the NSDK refresh token lives expiresIn where nothing says when it ends`() async throws {
        let app = try SampleApp()
        let established = try await app.establish()
        app.service.script { script in
            script.rotates = false
            script.claims = { kind, body in
                guard kind == "refresh" else { return }
                body["buildRefreshToken"] = "opaque"
                body["expiresAt"] = nil
                body["expiresIn"] = 300
            }
        }
        let journal = StepJournal()
        // The service knows no such token: what matters is what was kept before step 3.
        _ = try await failure { try await app.renew(established, TokenRequest(reason: .forced), journal) }
        let kept = try #require(journal.commits.last?.credential.refreshToken)
        #expect(kept.expiry.remaining(at: app.time.now) == .lasts(.seconds(300)))
        #expect(kept.value == Secret("opaque"))
    }

    @Test func `a wrong local clock is learned from Date, so that ends are judged by the service's`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        // The service is an hour behind this machine.
        app.service.script { script in
            script.replace = { _, response in
                var response = response
                response.fields.append(HTTPField("Date", "Fri, 15 Jan 2027 07:00:00 GMT"))
                return response
            }
        }
        let renewed = try await app.renew(held)
        let offset = try #require(renewed.clockOffset)
        #expect(offset > .seconds(-3605) && offset < .seconds(-3595))
    }
}
