import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// Every case of `Set-Cookie` in the answer to step 1: none, several, deleted, attributes with commas.
@Suite struct SetCookieTests {
    /// Renews by steps 1 to 3 with these cookies; `@` stands for the rotated token. Nil when a sign-in is needed.
    private func session(after cookies: [String], fields: [HTTPField] = []) async throws -> HeldToken? {
        let app = try SampleApp()
        app.service.script { script in
            script.cookies = { next in cookies.map { $0.replacing("@", with: next) } }
            script.replace = { _, response in
                var response = response
                response.fields += fields
                return response
            }
        }
        do {
            return try await app.establish().companions["session"]
        } catch let error as NianticError where error.reason == .sessionRevoked {
            #expect(error.remedy == .signInAgain)
            return nil
        }
    }

    private func name(_ cookies: [String]) async throws -> String? {
        SampleToken.name(of: try await session(after: cookies))
    }

    @Test func `none keeps the token that was sent`() async throws {
        #expect(try await name([]) == "session-1")
    }

    @Test func `none of that name keeps the token that was sent`() async throws {
        #expect(try await name(["other=@", "refresh_token2=@"]) == "session-1")
    }

    @Test func `none, and the token has ended: a person must sign in`() async throws {
        let app = try SampleApp()
        app.service.script { script in
            script.cookies = { _ in [] }
            script.before = { _ in app.time.advance(by: .seconds(50)) }
        }
        let token = app.service.browserSignIn(ends: .seconds(40))
        let error = try await failure { try await app.establish(app.agent([app.callback(token)])) }
        #expect(error.reason == .sessionEnded)
        #expect(error.remedy == .signInAgain)
    }

    @Test(arguments: [
        "refresh_token=@", "REFRESH_TOKEN=@", "refresh_token = @ ; Path=/", "refresh_token=\"@\"; HttpOnly",
        "refresh_token=@; Secure; SameSite=Lax; Path=/oauth", "refresh_token=@; Max-Age=3600",
        "refresh_token=@; Expires=Fri, 15 Jan 2027 09:00:00 GMT",
        "refresh_token=@; expires=Friday, 15-Jan-27 09:00:00 GMT",
        "refresh_token=@; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "refresh_token=@; Max-Age=soon",
        "refresh_token=@; Expires=never", "refresh_token=@;", "refresh_token=@; Path=/a,b; Domain=identity.example",
    ])
    func `one gives the rotated token`(_ cookie: String) async throws {
        #expect(try await name([cookie]) == "session-2")
    }

    @Test(arguments: [
        "refresh_token=", "refresh_token=\"\"", "refresh_token=@; Max-Age=0", "refresh_token=@; Max-Age=-1",
        "refresh_token=@; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "refresh_token=x; expires=Thursday, 01-Jan-70 00:00:00 GMT",
        "refresh_token=deleted; Max-Age=0; Path=/",
    ])
    func `a deleted one ends the session`(_ cookie: String) async throws {
        #expect(try await session(after: [cookie]) == nil)
    }

    @Test func `of several of one place the last one counts`() async throws {
        #expect(try await name(["refresh_token=old; Path=/", "refresh_token=@; Path=/"]) == "session-2")
        #expect(try await session(after: ["refresh_token=@; Path=/", "refresh_token=; Path=/"]) == nil)
    }

    @Test func `one that moved to another place is not taken for a deleted one`() async throws {
        #expect(try await name(["refresh_token=@; Path=/", "refresh_token=; Path=/oauth; Max-Age=0"]) == "session-2")
        #expect(try await name(["refresh_token=; Path=/oauth; Max-Age=0", "refresh_token=@; Path=/"]) == "session-2")
    }

    @Test(arguments: [
        "a=1, refresh_token=@, b=2", "a=1; Expires=Fri, 15 Jan 2027 09:00:00 GMT, refresh_token=@; Path=/",
        "refresh_token=@; Expires=Fri, 15 Jan 2027 09:00:00 GMT, a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "refresh_token=old; Path=/, refresh_token=@; Path=/", "a=1,refresh_token=@",
    ])
    func `cookies that were folded into one field are taken apart`(_ field: String) async throws {
        #expect(try await name([field]) == "session-2")
    }

    @Test func `a comma in a date or a path begins no cookie`() async throws {
        let folded = "a=1; Path=/x, y; Expires=Fri, 15 Jan 2027 09:00:00 GMT; Comment=see, the=manual"
        #expect(try await name([folded]) == "session-1")
    }

    @Test(arguments: ["refresh_token=a b", "refresh_token=\u{7F}", "=@", "refresh_token"])
    func `one that cannot be sent again is none`(_ cookie: String) async throws {
        #expect(try await name([cookie]) == "session-1")
    }

    @Test func `the cookie's own end counts where it is the earlier one`() async throws {
        let app = try SampleApp()
        app.service.script { $0.cookies = { ["refresh_token=\($0); Max-Age=600"] } }
        let held = try await app.establish()
        #expect(held.companions["session"]?.expiry == .at(app.time.now.wall + .seconds(600)))
    }

    @Test func `an end is judged by the answer's own date`() async throws {
        // The local clock says 2027: the server's 2026 is a minute before the cookie's end.
        let date = HTTPField("Date", "Tue, 01 Dec 2026 11:59:00 GMT")
        let cookie = "refresh_token=@; Expires=Tue, 01 Dec 2026 12:00:00 GMT"
        #expect(SampleToken.name(of: try await session(after: [cookie], fields: [date])) == "session-2")
    }

    @Test func `a rotated token that is no JWT is kept all the same`() async throws {
        let held = try await session(after: ["refresh_token=opaque-token"])
        #expect(held?.value == Secret("opaque-token"))
        #expect(held?.expiry == .unknown)
    }

    @Test func `the body of step 1 is not looked at`() async throws {
        for body in ["", "not JSON", "[]", #"{"token":7}"#] {
            let app = try SampleApp()
            app.service.script { script in
                script.replace = { _, response in
                    var response = response
                    response.body = Array(body.utf8)
                    return response
                }
            }
            #expect(SampleToken.name(of: try await app.establish().companions["session"]) == "session-2")
        }
    }

    @Test func `step 2 may rotate the session token too, and it is kept before step 3`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        let next = SampleToken.make("session", 77, ends: app.time.now.wall + .seconds(9999))
        app.service.script { script in
            script.replace = { grant, response in
                guard grant == "exchange_build_refresh_token" else { return response }
                var response = response
                response.fields.append(HTTPField("Set-Cookie", "refresh_token=\(next)"))
                return response
            }
        }
        let journal = StepJournal()
        let renewed = try await app.renew(held, TokenRequest(), journal)
        #expect(SampleToken.name(of: renewed.companions["session"]) == "session-77")
        let commit = try #require(journal.commits.last)
        #expect(SampleToken.name(of: commit.credential.companions["session"]) == "session-77")
        #expect(app.service.grants.count == commit.after + 1)
    }

    @Test func `a session that step 2 ends is ended`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        app.service.script { script in
            script.replace = { _, response in
                var response = response
                response.fields.append(HTTPField("Set-Cookie", "refresh_token=; Max-Age=0"))
                return response
            }
        }
        #expect(try await failure { try await app.renew(held) }.reason == .sessionRevoked)
    }

    @Test func `a rotated token is kept though nothing else of step 2 can be used`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        app.service.script { script in
            script.replace = { _, response in
                var response = response
                response.body = Array("{}".utf8)
                response.fields.append(HTTPField("Set-Cookie", "refresh_token=next"))
                return response
            }
        }
        let journal = StepJournal()
        let error = try await failure { try await app.renew(held, TokenRequest(), journal) }
        #expect(error.reason == .malformedAnswer)
        #expect(journal.commits.last?.credential.companions["session"]?.value == Secret("next"))
    }
}
