import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import Testing

/// The misbehaviour of the identity endpoint on demand: everything that its reference leaves open.
@Suite struct NianticFaultTests {
    private func bench(_ faults: Fault...) throws -> IssuerBench { try IssuerBench { $0.faults = faults } }

    @Test(arguments: [400, 401, 403, 408, 425, 429, 500, 503])
    func `a status comes with the service's one text, and nothing is done`(_ status: Int) throws {
        let bench = try bench(Fault(.nianticRotate, .status(status, retryAfter: 7)))
        let session = try bench.sessionToken()
        let answer = bench.rotate(session)
        #expect(answer.status == status && answer.field("Retry-After") == "7")
        #expect(try answer.json().names == ["error"])
        #expect(bench.rotate(session).status == 200)
        let outcomes = bench.issuer.statistics.niantic.exchanges.map(\.outcome)
        #expect(outcomes == ["fault \(status);retry-after=7", "granted"])
    }

    @Test func `a time to wait can be a date`() throws {
        let bench = try bench(Fault(.nianticAccess, .busyUntil(429, seconds: 90)))
        let answer = bench.makeAccess("x")
        // 1 800 000 000 is Friday, 15 January 2027, 08:00:00.
        #expect(answer.status == 429)
        #expect(answer.field("Retry-After") == "Fri, 15 Jan 2027 08:01:30 GMT")
    }

    @Test(arguments: [
        (FaultKind.emptyCookie, "refresh_token=; "), (.deletedCookie, "Max-Age=0"),
        (.endedCookie, "Expires=Thu, 01 Jan 1970"),
    ])
    func `a cookie that is taken back ends the session`(_ kind: FaultKind, _ mark: String) throws {
        let bench = try bench(Fault(.nianticRotate, kind))
        let session = try bench.sessionToken()
        let answer = bench.rotate(session)
        #expect(answer.status == 200)
        #expect(answer.field("Set-Cookie")?.contains(mark) == true)
        #expect(bench.rotate(session).error == "token revoked")
    }

    @Test func `several cookies come one by one or folded, the right one among them`() throws {
        let bench = try bench(Fault(.nianticRotate, .severalCookies), Fault(.nianticRotate, .foldedCookies))
        let apart = bench.rotate(try bench.sessionToken()).response.fields.all(named: "Set-Cookie")
        #expect(apart.count == 4)
        let token = try #require(apart[2].split(separator: ";").first?.dropFirst("refresh_token=".count))
        #expect(bench.makeRefresh(String(token)).status == 200)
        let folded = bench.rotate(try bench.sessionToken()).response.fields.all(named: "Set-Cookie")
        #expect(folded.count == 1 && folded[0].contains(", refresh_token="))
    }

    @Test func `a cookie can be lost, or be named otherwise`() throws {
        let bench = try bench(Fault(.nianticRotate, .noCookie), Fault(.nianticRotate, .oddCookieName))
        let session = try bench.sessionToken()
        #expect(bench.rotate(session).field("Set-Cookie") == nil)
        #expect(bench.rotate(try bench.sessionToken()).field("Set-Cookie")?.hasPrefix("Refresh_Token=") == true)
        #expect(bench.rotate(session).error == "token was used before")
    }

    @Test func `a token can stay, with or without being told again`() throws {
        let bench = try bench(
            Fault(.nianticRotate, .unrotated),
            Fault(.nianticRotate, .sameToken),
            Fault(.nianticAccess, .unrotated),
            Fault(.nianticAccess, .sameToken)
        )
        let session = try bench.sessionToken()
        #expect(bench.rotate(session).field("Set-Cookie") == nil)
        #expect(bench.rotate(session).sessionCookie == session)
        let refresh = try #require(bench.makeRefresh(session).json().text("buildRefreshToken"))
        #expect(try bench.makeAccess(refresh).json()["buildRefreshToken"] == nil)
        #expect(try bench.makeAccess(refresh).json().text("buildRefreshToken") == refresh)
        #expect(bench.makeAccess(refresh).status == 200)
    }

    @Test func `step 2 can rotate the session token, or take it back`() throws {
        let bench = try bench(Fault(.nianticRefresh, .rotatesSession), Fault(.nianticRefresh, .deletedCookie))
        let session = try bench.sessionToken()
        let next = try #require(bench.makeRefresh(session).sessionCookie)
        #expect(next != session)
        #expect(bench.makeRefresh(next).field("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(bench.rotate(next).error == "token revoked")
    }

    @Test(
        arguments: [
            (FaultKind.noExpiry, JSONValue?.none), (.fractionalExpiry, 1_800_003_600.5), (.textExpiry, "1800003600"),
            (.millisecondExpiry, 1_800_003_600_000), (.oddExpiry, "in an hour"),
        ] as [(FaultKind, JSONValue?)]
    )
    func `the end has every form`(_ kind: FaultKind, _ value: JSONValue?) throws {
        let bench = try bench(Fault(.nianticKey, kind))
        let answer = bench.exchange("exchange_api_key_access_token", ["apiKey": "dev-api-key"])
        #expect(try answer.json()["expiresAt"] == value)
        #expect(try answer.json()["accessToken"] != nil)
    }

    @Test(arguments: [FaultKind.closeAfterCommit, .hangAfterCommit, .malformed, .emptyBody])
    func `a reply is lost after the token was spent`(_ kind: FaultKind) throws {
        let bench = try bench(Fault(.nianticAccess, kind))
        let (_, refresh) = try bench.nianticTokens()
        let answer = bench.makeAccess(refresh)
        if answer.manner == .plain { #expect((try? answer.json()) == nil) }
        #expect(bench.issuer.statistics.niantic.accessTokensMade == 1)
        #expect(bench.makeAccess(refresh).error == "token was used before")
    }

    @Test func `an answer without its access token brings the new refresh token all the same`() throws {
        let bench = try bench(Fault(.nianticAccess, .noToken))
        let (_, refresh) = try bench.nianticTokens()
        let answer = try bench.makeAccess(refresh).json()
        #expect(answer["buildAccessToken"] == nil)
        #expect(bench.makeAccess(try #require(answer.text("buildRefreshToken"))).status == 200)
    }

    @Test func `errors have every shape, and nothing is done`() throws {
        let bench = try bench(
            Fault(.nianticRotate, .error("SESSION_REVOKED")),
            Fault(.nianticRotate, .errorObject),
            Fault(.nianticRotate, .errorInSuccess),
            Fault(.nianticRotate, .page)
        )
        let session = try bench.sessionToken()
        #expect(bench.rotate(session).error == "SESSION_REVOKED")
        #expect(try bench.rotate(session).json()["error"]?["message"] != nil)
        let contradiction = bench.rotate(session)
        #expect(contradiction.status == 200 && contradiction.error != nil)
        #expect(bench.rotate(session).text.hasPrefix("<!doctype html>"))
        #expect(bench.rotate(session).status == 200)
    }

    @Test func `a session token can turn into somebody else's`() throws {
        let bench = try bench(Fault(.nianticRotate, .wrongSubject))
        let cookie = try #require(bench.rotate(bench.sessionToken()).sessionCookie)
        #expect(try IssuerBench.claims(cookie).text("sub") == "user-bob")
    }

    @Test(arguments: [
        "niantic-rotate:no-cookie", "niantic-access:429;retry-date=90*3", "niantic-refresh:rotates-session*",
        "niantic-key:millisecond-expiry", "niantic-backend:error-in-success", "niantic-signin:malformed",
        "niantic-signout:close", "niantic-rotate:error=SESSION_REVOKED",
    ])
    func `a fault is read and written alike`(_ text: String) throws {
        #expect(try Fault(parsing: text).description == text)
    }

    @Test(arguments: [
        "niantic-access:no-cookie", "niantic-key:unrotated", "token:malformed", "refresh:text-expiry",
        "niantic-signin:unrotated", "niantic-rotate:wrong-aud", "niantic-rotate:429;retry-date=x",
        "niantic-rotate:429;retry-date=1;html",
    ])
    func `a kind belongs to its points`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try Fault(parsing: text) }
        #expect(error?.code == .badFault)
    }
}
