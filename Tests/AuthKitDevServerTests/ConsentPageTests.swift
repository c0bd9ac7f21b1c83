import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import Testing

@Suite struct ConsentPageTests {
    private let bench: IssuerBench

    init() throws {
        bench = try IssuerBench { $0.consent = .page }
    }

    /// The hidden fields and the cookie of a page.
    private func open(
        _ changes: [String: String?] = [:],
        cookie: HTTPField? = nil
    ) throws -> (form: [(String, String)], cookie: HTTPField, text: String) {
        let page = bench.authorize(changes, fields: cookie.map { [$0] } ?? [])
        #expect(page.status == 200)
        let text = page.text
        let hidden = ["request", "form_token"].compactMap { name -> (String, String)? in
            guard let range = text.range(of: "name=\"\(name)\" value=\"") else { return nil }
            return (name, String(text[range.upperBound...].prefix { $0 != "\"" }))
        }
        #expect(hidden.count == 2)
        let set = try #require(page.field("Set-Cookie"))
        return (hidden, HTTPField("Cookie", String(set.prefix { $0 != ";" })), text)
    }

    private func decide(
        _ page: (form: [(String, String)], cookie: HTTPField, text: String),
        _ decision: String,
        _ user: String
    )
        -> IssuerAnswer
    {
        bench.post("/authorize/decision", page.form + [("user", user), ("decision", decision)], fields: [page.cookie])
    }

    @Test func `allowing sends a code for the user that was named`() throws {
        let page = try open()
        let answer = decide(page, "allow", "bob")
        let code = try #require(answer.redirect?["code"])
        #expect(answer.redirect?["state"] == "s-1")
        let token = try bench.redeem(code).json().text("id_token")
        #expect(try bench.verify(token).claims.text("sub") == "user-bob")
    }

    @Test func `denying sends access_denied`() throws {
        let answer = decide(try open(), "deny", "alice")
        #expect(answer.redirect?["error"] == "access_denied")
        #expect(answer.redirect?["code"] == nil)
        #expect(bench.issuer.statistics.codesIssued == 0)
    }

    @Test func `a name that nobody has brings the page back and can be corrected`() throws {
        let page = try open()
        let answer = decide(page, "allow", "<mallory>")
        #expect(answer.status == 400)
        #expect(answer.text.contains("&lt;mallory&gt;") && !answer.text.contains("<mallory>"))
        #expect(decide(page, "allow", "alice").redirect?["code"] != nil)
    }

    @Test func `a form without the page's token or cookie does nothing`() throws {
        let page = try open()
        let forged = [page.form[0], ("form_token", "guess"), ("user", "alice"), ("decision", "allow")]
        #expect(bench.post("/authorize/decision", forged, fields: [page.cookie]).status == 400)
        let sent = page.form + [("user", "alice"), ("decision", "allow")]
        #expect(bench.post("/authorize/decision", sent).status == 400)
        let other = HTTPField("Cookie", "authkit_dev_9999=other")
        #expect(bench.post("/authorize/decision", sent, fields: [other]).status == 400)
        #expect(bench.issuer.statistics.codesIssued == 0)
    }

    @Test func `a page works once`() throws {
        let page = try open()
        #expect(decide(page, "allow", "alice").redirect?["code"] != nil)
        #expect(decide(page, "allow", "alice").status == 400)
        #expect(bench.issuer.statistics.codesIssued == 1)
    }

    @Test func `a page that was left open for long has expired`() throws {
        let page = try open()
        bench.time.advance(by: .seconds(600))
        #expect(decide(page, "allow", "alice").status == 400)
    }

    @Test func `prompt none needs a session, and consent for the scope`() throws {
        #expect(bench.authorize(["prompt": "none"]).redirect?["error"] == "login_required")
        let page = try open(["scope": "openid"])
        _ = decide(page, "allow", "alice")
        let silent = { changes in bench.authorize(changes, fields: [page.cookie]).redirect ?? [:] }
        #expect(silent(["prompt": "none", "scope": "openid"])["code"] != nil)
        #expect(silent(["prompt": "none"])["error"] == "consent_required")
        #expect(silent(["prompt": "none", "scope": "openid", "login_hint": "bob"])["error"] == "login_required")
        bench.time.advance(by: .seconds(100))
        #expect(silent(["prompt": "none", "scope": "openid", "max_age": "99"])["error"] == "login_required")
        #expect(silent(["prompt": "none", "scope": "openid", "max_age": "100"])["code"] != nil)
    }

    @Test func `prompt login signs in anew, otherwise the session's time stays`() throws {
        let page = try open()
        let first = try #require(decide(page, "allow", "alice").redirect?["code"])
        let begun = try bench.verify(bench.redeem(first).json().text("id_token")).claims["auth_time"]
        bench.time.advance(by: .seconds(50))
        let again = try #require(decide(open(cookie: page.cookie), "allow", "alice").redirect?["code"])
        #expect(try bench.verify(bench.redeem(again).json().text("id_token")).claims["auth_time"] == begun)
        let fresh = try open(["prompt": "login"], cookie: page.cookie)
        let code = try #require(decide(fresh, "allow", "alice").redirect?["code"])
        #expect(try bench.verify(bench.redeem(code).json().text("id_token")).claims["auth_time"] != begun)
    }

    @Test func `the page carries nothing from elsewhere and suggests the hinted user`() throws {
        let page = try open(["login_hint": "bob"])
        #expect(page.text.contains("value=\"bob\" list"))
        #expect(!page.text.contains("http://") && !page.text.contains("https://") && !page.text.contains("<script"))
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<String.Index>? { ranges(of: part).first }
}
