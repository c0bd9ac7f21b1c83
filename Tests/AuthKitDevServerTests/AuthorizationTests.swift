import AuthKitCore
import AuthKitDevServer
import Testing

@Suite struct AuthorizationTests {
    @Test func `automatic consent sends the browser back at once with code, state and issuer`() throws {
        let answer = try IssuerBench().authorize()
        #expect(answer.status == 303)
        #expect(answer.field("Location")?.hasPrefix(IssuerBench.callback + "?code=") == true)
        #expect(answer.redirect?["state"] == "s-1")
        #expect(answer.redirect?["iss"] == "http://127.0.0.1:9999")
    }

    @Test(arguments: [
        ("client_id", "nobody"), ("client_id", nil), ("redirect_uri", "https://evil.example/callback"),
        ("redirect_uri", "http://127.0.0.1.evil.example/callback"), ("redirect_uri", nil),
        ("redirect_uri", "dev.authkit.example:/other"), ("redirect_uri", "https://127.0.0.1/callback"),
        ("redirect_uri", "http://user@127.0.0.1/callback"), ("redirect_uri", "http://127.0.0.1/*/x#f"),
    ])
    func `an unknown client or address stays with a page and redirects nowhere`(_ name: String, _ value: String?) throws
    {
        let answer = try IssuerBench().authorize([name: value])
        #expect(answer.status == 400)
        #expect(answer.field("Location") == nil)
    }

    @Test(arguments: [
        ("response_type", "token", "unsupported_response_type"), ("response_type", nil, "invalid_request"),
        ("code_challenge", nil, "invalid_request"), ("code_challenge", "short", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"), ("code_challenge_method", nil, "invalid_request"),
        ("scope", nil, "invalid_scope"), ("response_mode", "fragment", "invalid_request"),
        ("prompt", "none login", "invalid_request"), ("prompt", "create", "invalid_request"),
        ("request", "a.b.c", "request_not_supported"), ("request_uri", "urn:x", "request_uri_not_supported"),
        ("max_age", "-1", "invalid_request"), ("login_hint", "nobody", "login_required"),
        ("id_token_hint", "a.b.c", "invalid_request"), ("resource", "relative", "invalid_target"),
    ])
    func `a bad request is answered to the client with an error, state and issuer`(
        _ name: String,
        _ value: String?,
        _ error: String
    ) throws {
        let answer = try IssuerBench().authorize([name: value])
        #expect(answer.redirect?["error"] == error)
        #expect(answer.redirect?["state"] == "s-1")
        #expect(answer.redirect?["iss"] == "http://127.0.0.1:9999")
        #expect(answer.redirect?["code"] == nil)
    }

    @Test func `a parameter that comes twice is refused`() throws {
        let bench = try IssuerBench()
        #expect(bench.get("/authorize", bench.authorization() + [("state", "s-2")]).status == 400)
    }

    @Test(arguments: [
        "http://127.0.0.1:1/callback", "http://[::1]:65535/", "http://localhost/a/b?x=1",
        "dev.authkit.example:/callback",
    ])
    func `loopback on any port and the private-use scheme are allowed`(_ address: String) throws {
        let location = try IssuerBench().authorize(["redirect_uri": address]).field("Location")
        #expect(location?.hasPrefix(address + (address.contains("?") ? "&" : "?") + "code=") == true)
    }

    @Test func `a loopback address with a path matches on any port but no other path`() throws {
        let bench = try IssuerBench { $0.clients[0].redirectURIs = ["http://127.0.0.1/callback"] }
        #expect(bench.authorize(["redirect_uri": "http://127.0.0.1:4711/callback"]).status == 303)
        #expect(bench.authorize(["redirect_uri": "http://127.0.0.1:4711/other"]).status == 400)
        #expect(bench.authorize(["redirect_uri": "http://localhost:4711/callback"]).status == 400)
    }

    @Test func `an answer can be posted by a page`() throws {
        let answer = try IssuerBench().authorize(["response_mode": "form_post", "state": "<s>&\""])
        #expect(answer.status == 200)
        #expect(answer.text.contains("action=\"\(IssuerBench.callback)\""))
        #expect(answer.text.contains("name=\"state\" value=\"&lt;s&gt;&amp;&quot;\""))
        #expect(answer.text.contains("name=\"code\"") && answer.text.contains("name=\"iss\""))
    }

    @Test func `an error can be posted by a page`() throws {
        let answer = try IssuerBench().authorize(["response_mode": "form_post", "scope": nil])
        #expect(answer.text.contains("name=\"error\" value=\"invalid_scope\""))
    }

    @Test(arguments: [
        ("bob", "user-bob"), ("bob@example.org", "user-bob"), ("user-bob", "user-bob"), (nil, "user-alice"),
    ])
    func `the login hint picks the user`(_ hint: String?, _ subject: String) throws {
        let bench = try IssuerBench()
        let token = try bench.tokens(["login_hint": hint, "prompt": "none"]).text("id_token")
        #expect(try bench.verify(token).claims.text("sub") == subject)
    }

    @Test func `an ID token is a hint too`() throws {
        let bench = try IssuerBench()
        let first = try bench.tokens(["login_hint": "bob"]).text("id_token")
        let second = try bench.tokens(["id_token_hint": first]).text("id_token")
        #expect(try bench.verify(second).claims.text("sub") == "user-bob")
    }

    @Test func `a request can be posted`() throws {
        let bench = try IssuerBench()
        #expect(bench.post("/authorize", bench.authorization()).redirect?["code"] != nil)
    }

    @Test func `a client is held to its scopes`() throws {
        let bench = try IssuerBench { $0.clients[0].scopes = ["openid"] }
        #expect(bench.authorize().redirect?["error"] == "invalid_scope")
        #expect(bench.authorize(["scope": "openid"]).redirect?["code"] != nil)
    }
}
