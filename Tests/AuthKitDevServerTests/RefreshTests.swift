import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import Testing

@Suite struct RefreshTests {
    @Test func `a refresh brings new tokens and rotates`() throws {
        let bench = try IssuerBench()
        let first = try bench.tokens()
        bench.time.advance(by: .seconds(10))
        let second = try bench.refresh(first.text("refresh_token")).json()
        #expect(second.text("refresh_token") != first.text("refresh_token"))
        #expect(second.text("access_token") != first.text("access_token"))
        #expect(second.text("scope") == first.text("scope"))
        let claims = try bench.verify(second.text("id_token")).claims
        #expect(claims["auth_time"] == 1_800_000_000)
        #expect(claims["iat"] == 1_800_000_010)
        #expect(claims["nonce"] == nil)
        #expect(bench.issuer.statistics.refreshesGranted == 1)
        #expect(bench.issuer.statistics.activeFamilies == 1)
    }

    @Test func `a token that was rotated away ends the family`() throws {
        let bench = try IssuerBench()
        let first = try bench.tokens()
        let second = try bench.refresh(first.text("refresh_token")).json()
        #expect(bench.refresh(first.text("refresh_token")).error == "invalid_grant")
        #expect(bench.refresh(second.text("refresh_token")).error == "invalid_grant")
        #expect(bench.userinfo(second.text("access_token")).status == 401)
        let statistics = bench.issuer.statistics
        #expect(statistics.reuseDetections == 1)
        #expect(statistics.familiesKilled == 1)
        #expect(statistics.activeFamilies == 0)
        #expect(statistics.refreshes.map(\.outcome) == ["granted", "reuse", "ended"])
        #expect(statistics.refreshes[0].fingerprint == statistics.refreshes[1].fingerprint)
    }

    @Test func `another family lives on`() throws {
        let bench = try IssuerBench()
        let (one, other) = (try bench.tokens(), try bench.tokens())
        _ = bench.refresh(one.text("refresh_token"))
        _ = bench.refresh(one.text("refresh_token"))
        #expect(bench.refresh(other.text("refresh_token")).status == 200)
    }

    @Test func `within the grace the token before gets the same successor`() throws {
        let bench = try IssuerBench { $0.rotationGrace = .seconds(30) }
        let first = try bench.tokens()
        let second = try bench.refresh(first.text("refresh_token")).json()
        bench.time.advance(by: .seconds(29))
        let again = try bench.refresh(first.text("refresh_token")).json()
        #expect(again.text("refresh_token") == second.text("refresh_token"))
        #expect(bench.userinfo(again.text("access_token")).status == 200)
        #expect(bench.issuer.statistics.refreshesGranted == 1)
        #expect(bench.issuer.statistics.graceRepeats == 1)
        bench.time.advance(by: .seconds(1))
        #expect(bench.refresh(first.text("refresh_token")).error == "invalid_grant")
        #expect(bench.issuer.statistics.reuseDetections == 1)
    }

    @Test func `the grace covers only the token right before`() throws {
        let bench = try IssuerBench { $0.rotationGrace = .seconds(30) }
        let first = try bench.tokens().text("refresh_token")
        let second = try bench.refresh(first).json().text("refresh_token")
        _ = try bench.refresh(second).json()
        #expect(bench.refresh(first).error == "invalid_grant")
        #expect(bench.issuer.statistics.familiesKilled == 1)
    }

    @Test func `without rotation the token stays and none is sent`() throws {
        let bench = try IssuerBench { $0.rotatesRefreshTokens = false }
        let token = try bench.tokens().text("refresh_token")
        #expect(try bench.refresh(token).json()["refresh_token"] == nil)
        #expect(bench.refresh(token).status == 200)
    }

    @Test func `a refresh token belongs to one client`() throws {
        let bench = try IssuerBench()
        let token = try bench.tokens().text("refresh_token")
        let other = bench.refresh(token, ["client_id": "dev-conf"], fields: [IssuerBench.confidential])
        #expect(other.error == "invalid_grant")
        #expect(bench.refresh(token).status == 200)
    }

    @Test func `a refresh token expires`() throws {
        let bench = try IssuerBench { $0.refreshTokenLifetime = .seconds(100) }
        let token = try bench.tokens().text("refresh_token")
        bench.time.advance(by: .seconds(100))
        #expect(bench.refresh(token).error == "invalid_grant")
        #expect(bench.issuer.statistics.familiesKilled == 0)
    }

    @Test func `the scope can be narrowed and not widened`() throws {
        let bench = try IssuerBench()
        let first = try bench.tokens(["scope": "openid email"])
        let wide = bench.refresh(first.text("refresh_token"), ["scope": "openid profile"])
        #expect(wide.error == "invalid_scope")
        let narrow = try bench.refresh(first.text("refresh_token"), ["scope": "openid"]).json()
        #expect(narrow.text("scope") == "openid")
        #expect(try bench.refresh(narrow.text("refresh_token")).json().text("scope") == "openid email")
    }

    @Test func `what is no refresh token is refused and noted`() throws {
        let bench = try IssuerBench()
        #expect(bench.refresh("rt_guess").error == "invalid_grant")
        #expect(bench.refresh(nil).error == "invalid_request")
        #expect(bench.issuer.statistics.refreshes.map(\.outcome) == ["unknown", "refused"])
    }

    @Test func `of a hundred refreshes at once of one token one is granted and the family ends`() async throws {
        let bench = try IssuerBench()
        let token = try bench.tokens().text("refresh_token")
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { bench.refresh(token).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        let statistics = bench.issuer.statistics
        #expect(statistics.refreshesGranted == 1)
        #expect(statistics.familiesKilled == 1)
        #expect(statistics.activeFamilies == 0)
        #expect(statistics.refreshes.count == 100)
    }

    @Test func `the log of refreshes is bounded`() throws {
        let bench = try IssuerBench()
        for _ in 0...DevStatistics.refreshLogLimit { _ = bench.refresh("rt_guess") }
        #expect(bench.issuer.statistics.refreshes.count == DevStatistics.refreshLogLimit)
    }
}
