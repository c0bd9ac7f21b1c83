import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import Testing

/// What the identity service's answers can be like on demand beside their tokens: ends, cookies, refusals, the clock.
@Suite struct NianticAnswerFaultTests {
    static let words = "this is a fault that was asked for"
    private let start: Int64 = 1_800_000_000

    private func bench(
        _ faults: [Fault] = [],
        _ change: (inout DevNianticOptions) -> Void = { _ in }
    ) throws -> IssuerBench {
        try IssuerBench { options in
            options.faults = faults
            change(&options.niantic)
        }
    }

    private func key(_ bench: IssuerBench, _ key: JSONValue = "dev-api-key") -> IssuerAnswer {
        bench.exchange("exchange_api_key_access_token", ["apiKey": key])
    }

    @Test(arguments: [(FaultKind.earlierExpiry, 1800), (.laterExpiry, 7200)] as [(FaultKind, Int64)])
    func `an answer can tell another end than its token`(_ kind: FaultKind, _ life: Int64) throws {
        let faults = [Fault.Point.nianticRotate, .nianticRefresh, .nianticAccess, .nianticKey].map { Fault($0, kind) }
        let bench = try bench(faults)
        let session = bench.rotate(try bench.sessionToken())
        #expect(try session.json()["expiresAt"] == .integer(start + life))
        let refresh = bench.makeRefresh(try #require(session.sessionCookie))
        // An NSDK refresh token lives 24 times as long.
        #expect(try refresh.json()["expiresAt"] == .integer(start + 24 * life))
        #expect(try refresh.claims(of: "buildRefreshToken")["exp"] == .integer(start + 86_400))
        let access = bench.makeAccess(try #require(refresh.json().text("buildRefreshToken")))
        for (answer, name) in [(access, "buildAccessToken"), (key(bench), "accessToken")] {
            #expect(try answer.json()["expiresAt"] == .integer(start + life))
            #expect(try answer.claims(of: name)["exp"] == .integer(start + 3600))
        }
    }

    @Test(
        arguments: [
            (FaultKind.fractionalExpiry, "expiresIn", 3600.5), (.textExpiry, "expiresIn", "3600"),
            (.oddExpiry, "expiresIn", "in an hour"), (.endInstead, "expiresAt", 1_800_003_600),
        ] as [(FaultKind, String, JSONValue)]
    )
    func `the back end's lifetime has every form`(_ kind: FaultKind, _ name: String, _ value: JSONValue) throws {
        let answer = try bench([Fault(.nianticBackend, kind)]).backend("dev-backend-token")
        #expect(try answer.json().names == ["accessToken", name])
        #expect(try answer.json()[name] == value)
    }

    @Test(arguments: [(FaultKind.emptyCookie, "refresh_token=; "), (.endedCookie, "Expires=Thu, 01 Jan 1970")])
    func `step 2 can take the session back by either cookie`(_ kind: FaultKind, _ mark: String) throws {
        let bench = try bench([Fault(.nianticRefresh, kind)])
        let session = try bench.sessionToken()
        let answer = bench.makeRefresh(session)
        #expect(answer.status == 200 && answer.field("Set-Cookie")?.contains(mark) == true)
        #expect(bench.rotate(session).error == "token revoked")
    }

    @Test func `a service that does not rotate can take the session back too`() throws {
        let bench = try bench([Fault(.nianticRotate, .deletedCookie)]) { $0.rotatesSessionTokens = false }
        let session = try bench.sessionToken()
        #expect(bench.rotate(session).field("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(bench.rotate(session).error == "token revoked")
    }

    @Test func `the new refresh token can be lost from the answer that brings the access token`() throws {
        let bench = try bench([Fault(.nianticAccess, .noRefreshToken)])
        let (_, refresh) = try bench.nianticTokens()
        #expect(try bench.makeAccess(refresh).json().names == ["buildAccessToken", "expiresAt"])
        #expect(bench.makeAccess(refresh).error == "token was used before")
    }

    @Test(
        arguments: [
            (.errorNumber, #"{"error":{"code":42,"message":"\#(words)"}}"#, "application/json"),
            (.plainError, words, "text/plain; charset=utf-8"), (.emptyError, "", nil),
        ] as [(FaultKind, String, String?)]
    )
    func `a refusal has a number, plain text or no words`(_ kind: FaultKind, _ body: String, _ type: String?) throws {
        let bench = try bench([Fault(.nianticRotate, kind)])
        let session = try bench.sessionToken()
        let answer = bench.rotate(session)
        #expect(answer.status == 400 && answer.field("Cache-Control") == "no-store")
        #expect(answer.text == body && answer.field("Content-Type") == type)
        #expect(bench.issuer.statistics.niantic.sessionsRotated == 0)
        #expect(bench.rotate(session).status == 200)
    }

    @Test(arguments: [400, 401, 403])
    func `what is worth nothing is refused with the status of the options`(_ status: Int) throws {
        let bench = try bench { $0.refusalStatus = status }
        let session = try bench.sessionToken()
        let next = try #require(bench.rotate(session).sessionCookie)
        // Used before, of a sign-in that has ended by that, and never heard of.
        let refusals = [
            bench.rotate(session), bench.makeRefresh(next), bench.makeAccess("x"), key(bench, "x"), bench.backend("x"),
        ]
        #expect(refusals.map(\.status) == Array(repeating: status, count: refusals.count))
        #expect(refusals[0].error == "token was used before" && refusals[1].error == "token revoked")
        // What is no request at all is none of that.
        #expect(bench.exchange("refresh_token", session: next).status == 400)
    }

    @Test(arguments: [(7200, "10:"), (-7200, "06:")] as [(Int64, String)])
    func `a service whose clock is off shows it in every answer`(_ ahead: Int64, _ hour: String) throws {
        let kinds: [FaultKind] = [.busyUntil(429, seconds: 90), .status(503), .skewed(seconds: 60)]
        let bench = try bench(kinds.map { Fault(.nianticAccess, $0) }) { $0.clockAhead = .seconds(ahead) }
        let session = try bench.sessionToken()
        #expect(try IssuerBench.claims(session)["iat"] == .integer(start + ahead))
        let rotated = bench.rotate(session)
        #expect(try rotated.json()["expiresAt"] == .integer(start + ahead + 3600))
        let made = bench.makeRefresh(try #require(rotated.sessionCookie))
        let refresh = try #require(made.json().text("buildRefreshToken"))
        let busy = bench.makeAccess(refresh)
        // 1 800 000 000 is Friday, 15 January 2027, 08:00:00.
        #expect(busy.field("Retry-After") == "Fri, 15 Jan 2027 \(hour)01:30 GMT")
        let answers = [rotated, made, busy, bench.makeAccess(refresh), bench.rotate("x"), key(bench)]
        #expect(answers.map(\.status) == [200, 200, 429, 503, 401, 200])
        for answer in answers {
            #expect(answer.response.fields.all(named: "Date") == ["Fri, 15 Jan 2027 \(hour)00:00 GMT"])
        }
        // A fault moves it further, for one answer.
        let further = bench.makeAccess(refresh)
        #expect(further.response.fields.all(named: "Date") == ["Fri, 15 Jan 2027 \(hour)01:00 GMT"])
        #expect(try further.claims(of: "buildAccessToken")["exp"] == .integer(start + ahead + 3660))
    }

    @Test func `NSDK tokens can lack claims, and session tokens have them all the same`() throws {
        let bench = try bench { $0.omittedClaims = ["exp", "user_id"] }
        let (session, refresh) = try bench.nianticTokens()
        #expect(try IssuerBench.claims(session)["exp"] == .integer(start + 30 * 86_400))
        #expect(try IssuerBench.claims(refresh)["exp"] == nil)
        let answer = bench.makeAccess(refresh)
        let claims = try answer.claims(of: "buildAccessToken")
        #expect(claims["exp"] == nil && claims["user_id"] == nil && claims.text("sub") == "user-alice")
        #expect(try answer.json()["expiresAt"] == .integer(start + 3600))
        #expect(try key(bench).claims(of: "accessToken")["exp"] == nil)
    }

    @Test func `a token can have a subject and no names`() throws {
        let bench = try bench([Fault(.nianticSignIn, .noNames), Fault(.nianticKey, .noNames)])
        let names = ["iss", "sub", "user_id", "aud", "iat", "exp", "jti", "token_use"]
        #expect(try IssuerBench.claims(bench.sessionToken()).names == names)
        #expect(try key(bench).claims(of: "accessToken").names == names)
        #expect(try IssuerBench.claims(bench.sessionToken()).text("email") == "alice@example.org")
    }

    @Test func `no answer is given to the scripts of another origin`() throws {
        let bench = try bench()
        let origin = HTTPField("Origin", "https://site.example")
        let page = bench.get("/signin", [("redirectType", "unity-editor"), ("port", "8080")], fields: [origin])
        let preflight = bench.issuer.answer(
            ServerRequest(method: "OPTIONS", target: "/oauth/token", fields: [origin], body: [])
        )
        let answers = [
            page, preflight, bench.rotate(try bench.sessionToken()), bench.get("/signout", fields: [origin]),
        ]
        #expect(answers.map(\.status) == [303, 405, 200, 200])
        for answer in answers {
            #expect(!answer.response.fields.contains { $0.name.lowercased().hasPrefix("access-control-") })
        }
    }

    @Test(arguments: [
        "niantic-access:no-refresh-token", "niantic-refresh:earlier-expiry*2", "niantic-key:later-expiry",
        "niantic-backend:expires-at", "niantic-backend:text-expiry", "niantic-refresh:empty-cookie",
        "niantic-refresh:ended-cookie", "niantic-rotate:error-number*", "niantic-key:plain-error",
        "niantic-backend:empty-error", "niantic-signin:no-names", "niantic-access:no-names",
    ])
    func `a fault is read and written alike`(_ text: String) throws {
        #expect(try Fault(parsing: text).description == text)
    }

    @Test(arguments: [
        "niantic-refresh:no-refresh-token", "niantic-backend:earlier-expiry", "niantic-backend:millisecond-expiry",
        "niantic-key:expires-at", "niantic-access:empty-cookie", "niantic-signin:plain-error", "token:no-names",
    ])
    func `a kind belongs to its points`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try Fault(parsing: text) }
        #expect(error?.code == .badFault)
    }

    @Test func `a script sets status, clock and claims`() throws {
        let text = #"{"niantic":{"refusal_status":403,"clock_ahead":-3600,"omitted_claims":["exp","name"]}}"#
        let options = try DevServerScript(parsing: Array(text.utf8)).options.niantic
        #expect(options.refusalStatus == 403 && options.clockAhead == .seconds(-3600))
        #expect(options.omittedClaims == ["exp", "name"])
    }

    @Test(arguments: [
        #"{"niantic":{"refusal_status":200}}"#, #"{"niantic":{"refusal_status":"403"}}"#,
        #"{"niantic":{"clock_ahead":86401}}"#, #"{"niantic":{"clock_ahead":0.5}}"#,
        #"{"niantic":{"omitted_claims":"exp"}}"#,
    ])
    func `another script is refused`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try DevServerScript(parsing: Array(text.utf8)) }
        #expect(error?.code == .badScript)
    }

    @Test(arguments: [200, 399, 500])
    func `a status that is no refusal's is refused`(_ status: Int) {
        let error = #expect(throws: DevServerError.self) { try bench { $0.refusalStatus = status } }
        #expect(error?.code == .badOptions)
    }
}
