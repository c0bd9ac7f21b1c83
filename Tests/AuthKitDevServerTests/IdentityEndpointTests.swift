import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import Testing

/// The identity endpoint of the NSDK: the requests of its reference, rotation, reuse.
@Suite struct IdentityEndpointTests {
    @Test func `step 1 rotates the session token by its cookie`() throws {
        let bench = try IssuerBench()
        let first = try bench.sessionToken()
        let answer = bench.rotate(first)
        #expect(answer.status == 200)
        #expect(answer.sessionCookie != nil && answer.sessionCookie != first)
        #expect(answer.field("Set-Cookie")?.contains("Expires=") == true)
        // The end in the body is that of the session access token, not of the cookie's.
        #expect(try answer.json()["expiresAt"] == 1_800_003_600)
        #expect(try answer.claims(of: "token")["exp"] == 1_800_003_600)
    }

    @Test func `step 2 makes another refresh token each time and keeps the session token`() throws {
        let bench = try IssuerBench()
        let session = try #require(bench.rotate(bench.sessionToken()).sessionCookie)
        let (one, two) = (bench.makeRefresh(session), bench.makeRefresh(session))
        #expect(try one.json().text("buildRefreshToken") != two.json().text("buildRefreshToken"))
        #expect(one.field("Set-Cookie") == nil)
        #expect(try one.json()["expiresAt"] == 1_800_086_400)
    }

    @Test func `step 3 makes an access token and rotates the refresh token`() throws {
        let bench = try IssuerBench()
        let (_, refresh) = try bench.nianticTokens()
        let answer = bench.makeAccess(refresh)
        let claims = try answer.claims(of: "buildAccessToken")
        #expect(claims.text("sub") == "user-alice" && claims.text("user_id") == "user-alice")
        #expect(claims.text("email") == "alice@example.org" && claims.text("aud") == "nsdk")
        #expect(try answer.json()["expiresAt"] == claims["exp"])
        #expect(try answer.json().text("buildRefreshToken") != refresh)
    }

    @Test func `a service account's key is exchanged, and no other`() throws {
        let bench = try IssuerBench()
        let answer = bench.exchange("exchange_api_key_access_token", ["apiKey": "dev-api-key"])
        #expect(try answer.claims(of: "accessToken").text("sub") == "service-account-dev")
        #expect(try answer.json()["expiresAt"] == 1_800_003_600)
        let other = bench.exchange("exchange_api_key_access_token", ["apiKey": "another"])
        #expect(other.status == 401 && other.error == "invalid api key")
        #expect(bench.issuer.statistics.niantic.exchanges.map(\.outcome) == ["granted", "unknown"])
    }

    @Test func `a session token that was used ends the family`() throws {
        let bench = try IssuerBench()
        let first = try bench.sessionToken()
        let second = try #require(bench.rotate(first).sessionCookie)
        let refresh = try #require(bench.makeRefresh(second).json().text("buildRefreshToken"))
        #expect(bench.rotate(first).error == "token was used before")
        #expect(bench.rotate(second).error == "token revoked")
        #expect(bench.makeAccess(refresh).error == "token revoked")
        let statistics = bench.issuer.statistics.niantic
        #expect(statistics.reuseDetections == 1 && statistics.familiesKilled == 1 && statistics.activeFamilies == 0)
        #expect(statistics.exchanges.map(\.outcome) == ["granted", "granted", "reuse", "ended", "ended"])
        #expect(statistics.exchanges[0].fingerprint == statistics.exchanges[2].fingerprint)
    }

    @Test func `a refresh token that was used ends the family, its session token too`() throws {
        let bench = try IssuerBench()
        let (session, refresh) = try bench.nianticTokens()
        #expect(bench.makeAccess(refresh).status == 200)
        #expect(bench.makeAccess(refresh).error == "token was used before")
        #expect(bench.rotate(session).error == "token revoked")
    }

    @Test func `another sign-in lives on`() throws {
        let bench = try IssuerBench()
        let (one, other) = (try bench.nianticTokens(), try bench.nianticTokens())
        _ = bench.makeAccess(one.refresh)
        _ = bench.makeAccess(one.refresh)
        #expect(bench.makeAccess(other.refresh).status == 200)
        #expect(bench.issuer.statistics.niantic.activeFamilies == 1)
    }

    @Test func `tokens are for their own steps and end`() throws {
        let bench = try IssuerBench { $0.niantic.refreshTokenLifetime = .seconds(100) }
        let (session, refresh) = try bench.nianticTokens()
        #expect(bench.rotate(refresh).error == "invalid token")
        #expect(bench.makeAccess(session).error == "invalid token")
        bench.time.advance(by: .seconds(100))
        #expect(bench.makeAccess(refresh).error == "token expired")
        #expect(bench.issuer.statistics.niantic.familiesKilled == 0)
    }

    @Test func `without rotation tokens stay and none is sent`() throws {
        let bench = try IssuerBench {
            $0.niantic.rotatesSessionTokens = false
            $0.niantic.rotatesRefreshTokens = false
        }
        let session = try bench.sessionToken()
        #expect(bench.rotate(session).field("Set-Cookie") == nil)
        let refresh = try #require(bench.makeRefresh(session).json().text("buildRefreshToken"))
        #expect(try bench.makeAccess(refresh).json()["buildRefreshToken"] == nil)
        #expect(bench.rotate(session).status == 200 && bench.makeAccess(refresh).status == 200)
    }

    @Test func `what is no request of the reference is refused`() throws {
        let bench = try IssuerBench()
        let session = try bench.sessionToken()
        let form = bench.exchange("refresh_user_session_access_token", session: session, type: "text/plain")
        #expect(form.status == 400)
        #expect(bench.exchange("refresh_token", session: session).error == "unknown grant type")
        #expect(bench.exchange("refresh_user_session_access_token").error == "no token was sent")
        #expect(bench.exchange("refresh_build_access_token", session: session).error == "no token was sent")
        #expect(bench.get("/oauth/token").status == 405)
        // None of them has spent anything.
        #expect(bench.rotate(session).status == 200)
    }

    @Test func `of a hundred rotations at once of one token one is granted and the family ends`() async throws {
        let bench = try IssuerBench()
        let session = try bench.sessionToken()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { bench.rotate(session).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(bench.issuer.statistics.niantic.sessionsRotated == 1)
        #expect(bench.issuer.statistics.niantic.familiesKilled == 1)
    }

    @Test func `the back end takes its own token and session access tokens`() throws {
        let bench = try IssuerBench()
        #expect(try bench.backend("dev-backend-token").claims(of: "accessToken").text("sub") == "user-alice")
        #expect(try bench.backend("dev-backend-token", method: "POST").json()["expiresIn"] == 3600)
        let session = try bench.rotate(bench.sessionToken(user: "bob")).json().text("token")
        #expect(try bench.backend(session).claims(of: "accessToken").text("sub") == "user-bob")
        #expect(bench.backend("another").status == 401)
        #expect(bench.backend(nil).error == "no bearer token was sent")
        #expect(bench.issuer.statistics.niantic.backendTokensMade == 3)
    }

    @Test func `statistics are JSON, with a line for each exchange and no token`() throws {
        let bench = try IssuerBench()
        let session = try bench.sessionToken()
        _ = bench.rotate(session)
        let json = try bench.get("/dev/stats").json()
        let niantic = try #require(json["niantic"]?.object)
        #expect(niantic["sign_ins"] == 1 && niantic["sessions_rotated"] == 1 && niantic["active_families"] == 1)
        let line = try #require(niantic["exchanges"]?.array?.first?.string)
        #expect(line.hasSuffix(" granted") && line.contains(" rotate "))
        #expect(!bench.get("/dev/stats").text.contains(session))
    }

    @Test func `the log of exchanges is bounded`() throws {
        let bench = try IssuerBench()
        for _ in 0...DevNianticStatistics.exchangeLogLimit { _ = bench.makeAccess("x") }
        #expect(bench.issuer.statistics.niantic.exchanges.count == DevNianticStatistics.exchangeLogLimit)
    }
}
