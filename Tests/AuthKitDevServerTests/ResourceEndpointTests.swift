import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import Testing

@Suite struct ResourceEndpointTests {
    @Test func `userinfo answers by scope`() throws {
        let bench = try IssuerBench()
        let all = try bench.userinfo(bench.tokens().text("access_token")).json()
        #expect(all.text("sub") == "user-alice")
        #expect(all.text("preferred_username") == "alice")
        #expect(all.text("email") == "alice@example.org")
        let few = try bench.userinfo(bench.tokens(["scope": "openid"]).text("access_token")).json()
        #expect(few.names == ["sub"])
    }

    @Test func `userinfo takes a posted token but not two`() throws {
        let bench = try IssuerBench()
        let token = try #require(bench.tokens().text("access_token"))
        #expect(bench.post("/userinfo", [("access_token", token)]).status == 200)
        let header = HTTPField("Authorization", "Bearer \(token)")
        #expect(bench.post("/userinfo", [], fields: [header]).status == 200)
        #expect(bench.post("/userinfo", [("access_token", token)], fields: [header]).status == 400)
        #expect(bench.get("/userinfo", [("access_token", token)]).status == 401)
    }

    @Test func `userinfo challenges without a good token`() throws {
        let bench = try IssuerBench()
        let none = bench.get("/userinfo")
        #expect(none.status == 401)
        #expect(none.field("WWW-Authenticate")?.contains("error") == false)
        let unknown = bench.userinfo("unknown")
        #expect(unknown.status == 401)
        #expect(unknown.field("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
        #expect(bench.userinfo(try bench.tokens(["scope": "api"]).text("access_token")).status == 403)
    }

    @Test func `an access token ends with its lifetime`() throws {
        let bench = try IssuerBench { $0.accessTokenLifetime = .seconds(60) }
        let token = try bench.tokens().text("access_token")
        bench.time.advance(by: .seconds(59))
        #expect(bench.userinfo(token).status == 200)
        bench.time.advance(by: .seconds(1))
        #expect(bench.userinfo(token).status == 401)
        #expect(try bench.introspect(token) == ["active": false])
    }

    @Test func `introspection describes both kinds of token`() throws {
        let bench = try IssuerBench()
        let tokens = try bench.tokens()
        let access = try bench.introspect(tokens.text("access_token"))
        #expect(access["active"] == true)
        #expect(access.text("client_id") == "dev")
        #expect(access.text("username") == "alice")
        #expect(access["exp"] == 1_800_003_600)
        let refresh = try bench.introspect(tokens.text("refresh_token"))
        #expect(refresh["active"] == true)
        _ = bench.refresh(tokens.text("refresh_token"))
        #expect(try bench.introspect(tokens.text("refresh_token")) == ["active": false])
        #expect(try bench.introspect("unknown") == ["active": false])
    }

    @Test func `introspection is for confidential clients`() throws {
        let bench = try IssuerBench()
        #expect(bench.post("/introspect", [("token", "x"), ("client_id", "dev")]).error == "invalid_client")
        #expect(bench.post("/introspect", [("token", "x")]).error == "invalid_client")
    }

    @Test func `revoking a refresh token ends the family, a used one too`() throws {
        let bench = try IssuerBench()
        let first = try bench.tokens()
        let second = try bench.refresh(first.text("refresh_token")).json()
        let form = [("token", first.text("refresh_token") ?? ""), ("client_id", "dev")]
        #expect(bench.post("/revoke", form).status == 200)
        #expect(bench.userinfo(second.text("access_token")).status == 401)
        #expect(bench.refresh(second.text("refresh_token")).error == "invalid_grant")
        #expect(bench.issuer.statistics.familiesKilled == 1)
        #expect(bench.issuer.statistics.reuseDetections == 0)
    }

    @Test func `revoking an access token ends that one alone`() throws {
        let bench = try IssuerBench()
        let tokens = try bench.tokens()
        let form = [("token", tokens.text("access_token") ?? ""), ("client_id", "dev")]
        #expect(bench.post("/revoke", form).status == 200)
        #expect(bench.userinfo(tokens.text("access_token")).status == 401)
        #expect(bench.refresh(tokens.text("refresh_token")).status == 200)
    }

    @Test func `revoking what is unknown succeeds and what is another's does not`() throws {
        let bench = try IssuerBench()
        #expect(bench.post("/revoke", [("token", "unknown"), ("client_id", "dev")]).status == 200)
        #expect(bench.post("/revoke", [("client_id", "dev")]).error == "invalid_request")
        let token = try #require(bench.tokens().text("refresh_token"))
        #expect(
            bench.post("/revoke", [("token", token)], fields: [IssuerBench.confidential]).error == "unauthorized_client"
        )
        #expect(bench.refresh(token).status == 200)
    }
}
