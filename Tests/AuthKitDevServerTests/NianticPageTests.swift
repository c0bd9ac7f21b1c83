import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import Testing

/// The sign-in and sign-out pages of the NSDK, as a browser meets them.
@Suite struct NianticPageTests {
    @Test(arguments: ["nsdk-samples", "nsdk-external", "nsdk-unity-samples"])
    func `the answer goes to the scheme of the redirect type`(_ type: String) throws {
        let answer = try IssuerBench().get("/signin", [("redirectType", type)])
        #expect(answer.status == 303)
        let location = try #require(answer.field("Location"))
        #expect(location.hasPrefix("\(type)://signin/redirect?refreshToken="))
        #expect(answer.field("Referrer-Policy") == "no-referrer" && answer.field("Cache-Control") == "no-store")
    }

    @Test func `the editor's answer goes to its port, in its own letters`() throws {
        let answer = try IssuerBench().get("/signin", [("redirectType", "unity-editor"), ("port", "8080")])
        #expect(answer.field("Location")?.hasPrefix("http://127.0.0.1:8080/login/success?RefreshToken=") == true)
    }

    @Test(
        arguments: [
            [("redirectType", "my-own-scheme")], [], [("redirectType", "https")], [("redirectType", "unity-editor")],
            [("redirectType", "unity-editor"), ("port", "0")], [("redirectType", "unity-editor"), ("port", "65536")],
            [("redirectType", "nsdk-samples"), ("redirectType", "nsdk-external")],
        ] as [[(String, String)]]
    )
    func `another redirect type or port stays with a page`(_ query: [(String, String)]) throws {
        let answer = try IssuerBench().get("/signin", query)
        #expect(answer.status == 400 && answer.field("Location") == nil)
    }

    @Test func `the token says who signed in`() throws {
        let token = try IssuerBench().sessionToken(user: "bob")
        let claims = try IssuerBench.claims(token)
        #expect(claims.text("sub") == "user-bob" && claims.text("email") == "bob@example.org")
        #expect(claims["exp"] == 1_802_592_000)
    }

    @Test func `a callback can be malformed, lack its token, be expired, somebody else's, or an error`() throws {
        let bench = try IssuerBench {
            $0.faults = [.malformed, .noToken, .expired, .wrongSubject, .error("login_failed")].map {
                Fault(.nianticSignIn, $0)
            }
        }
        let query = [("redirectType", "nsdk-samples")]
        #expect(bench.get("/signin", query).redirect?["refreshToken"] == "not-a-token")
        #expect(bench.get("/signin", query).field("Location") == "nsdk-samples://signin/redirect")
        let expired = try #require(bench.get("/signin", query).redirect?["refreshToken"])
        #expect(try IssuerBench.claims(expired)["exp"]?.int64 ?? 0 < 1_800_000_000)
        #expect(bench.rotate(expired).error == "token expired")
        let other = try #require(bench.get("/signin", query).redirect?["refreshToken"])
        #expect(try IssuerBench.claims(other).text("sub") == "user-bob")
        #expect(bench.get("/signin", query).redirect?["error"] == "login_failed")
    }

    private func form(_ page: IssuerAnswer, _ more: [(String, String)]) -> [(String, String)] {
        let value = { (name: String) in
            let mark = "name=\"\(name)\" value=\""
            return page.text.ranges(of: mark).first.map { page.text[$0.upperBound...].prefix { $0 != "\"" } } ?? ""
        }
        return [("request", String(value("request"))), ("form_token", String(value("form_token")))] + more
    }

    private func browser(_ page: IssuerAnswer) -> HTTPField {
        HTTPField("Cookie", String(page.field("Set-Cookie")?.prefix { $0 != ";" } ?? ""))
    }

    @Test func `a page asks who it is, once, in the browser that was shown it`() throws {
        let bench = try IssuerBench { $0.consent = .page }
        let page = bench.get("/signin", [("redirectType", "nsdk-external")])
        #expect(page.status == 200 && page.text.contains("An NSDK app"))
        let good = form(page, [("user", "bob"), ("decision", "allow")])
        #expect(bench.post("/signin/decision", good).status == 400)
        #expect(bench.post("/signin/decision", form(page, [("user", "carol")]), fields: [browser(page)]).status == 400)
        let answer = bench.post("/signin/decision", good, fields: [browser(page)])
        let token = try #require(answer.redirect?["refreshToken"])
        #expect(try IssuerBench.claims(token).text("sub") == "user-bob")
        #expect(bench.post("/signin/decision", good, fields: [browser(page)]).status == 400)
        #expect(bench.issuer.statistics.niantic.signIns == 1)
    }

    @Test func `a person who says no is sent back with an error`() throws {
        let bench = try IssuerBench { $0.consent = .page }
        for (query, address) in [
            ([("redirectType", "nsdk-samples")], "nsdk-samples://signin/redirect?error=access_denied"),
            ([("redirectType", "unity-editor"), ("port", "8080")], "http://127.0.0.1:8080/login/failure?error="),
        ] {
            let page = bench.get("/signin", query)
            let denied = bench.post(
                "/signin/decision",
                form(page, [("decision", "deny")]),
                fields: [browser(page)]
            )
            #expect(denied.field("Location")?.hasPrefix(address) == true)
        }
        #expect(bench.issuer.statistics.niantic.signIns == 0)
    }

    @Test func `the sign-out page ends the session of its token, or only counts`() throws {
        let bench = try IssuerBench()
        let session = try bench.sessionToken()
        #expect(bench.get("/signout", [("refreshToken", session)]).status == 200)
        #expect(bench.rotate(session).error == "token revoked")
        #expect(bench.get("/signout").status == 200)
        #expect(bench.issuer.statistics.niantic.signOuts == 1)

        let keeping = try IssuerBench { $0.niantic.signOutEndsSession = false }
        let kept = try keeping.sessionToken()
        #expect(keeping.get("/signout", [("refreshToken", kept)]).status == 200)
        #expect(keeping.rotate(kept).status == 200)
    }

    @Test func `a script sets all of it, strictly`() throws {
        let text = """
            {"niantic":{"schemes":["my-app"],"loopback_types":[],"session_token_lifetime":1,
             "session_access_token_lifetime":2,"refresh_token_lifetime":3,"access_token_lifetime":4,"rotate_session":false,
             "rotate_refresh":false,"sign_out_ends_session":false,"service_accounts":[{"name":"a","key":"k"}],
             "backend_token":"b"}}
            """
        let options = try DevServerScript(parsing: Array(text.utf8)).options.niantic
        #expect(options.schemes == ["my-app"] && options.loopbackTypes.isEmpty)
        #expect(options.sessionTokenLifetime == .seconds(1) && options.sessionAccessTokenLifetime == .seconds(2))
        #expect(options.refreshTokenLifetime == .seconds(3) && options.accessTokenLifetime == .seconds(4))
        #expect(!options.rotatesSessionTokens && !options.rotatesRefreshTokens && !options.signOutEndsSession)
        #expect(options.serviceAccounts == [DevServiceAccount(name: "a", key: Secret("k"))])
        #expect(options.backendToken == Secret("b"))
    }

    @Test(arguments: [
        #"{"niantic":[]}"#, #"{"niantic":{"colour":"red"}}"#, #"{"niantic":{"service_accounts":[{"name":"a"}]}}"#,
        #"{"niantic":{"service_accounts":[{"name":"a","key":"k","more":1}]}}"#,
    ])
    func `another script is refused`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try DevServerScript(parsing: Array(text.utf8)) }
        #expect(error?.code == .badScript)
    }

    @Test(arguments: [
        #"{"niantic":{"schemes":["unity-editor"]}}"#, #"{"niantic":{"schemes":["a b"]}}"#,
        #"{"niantic":{"service_accounts":[{"name":"a","key":"k"},{"name":"b","key":"k"}]}}"#,
    ])
    func `options that no service can work with are refused`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try DevServerScript(parsing: Array(text.utf8)) }
        #expect(error?.code == .badOptions)
    }
}
