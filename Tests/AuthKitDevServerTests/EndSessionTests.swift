import AuthKitCore
import AuthKitDevServer
import Testing

@Suite struct EndSessionTests {
    private let bench: IssuerBench

    init() throws {
        bench = try IssuerBench()
    }

    private func location(_ query: [(String, String)]) -> String? {
        bench.get("/end-session", query).field("Location")
    }

    @Test func `a registered address is sent to, with the state`() throws {
        let token = try #require(bench.tokens().text("id_token"))
        let target = ("post_logout_redirect_uri", "http://127.0.0.1:5000/out")
        #expect(
            location([("id_token_hint", token), target, ("state", "a b")]) == "http://127.0.0.1:5000/out?state=a%20b"
        )
        #expect(location([("client_id", "dev"), target]) == "http://127.0.0.1:5000/out")
    }

    @Test func `an address that is not registered, or without a client, is not`() throws {
        let token = try #require(bench.tokens().text("id_token"))
        let queries = [
            [("client_id", "dev"), ("post_logout_redirect_uri", "https://evil.example/")],
            [("post_logout_redirect_uri", "http://127.0.0.1:5000/out")],
            [("id_token_hint", "a.b.c")],
            [("id_token_hint", token), ("client_id", "dev-conf")],
            [("client_id", "nobody")],
        ]
        for query in queries {
            let answer = bench.get("/end-session", query)
            #expect(answer.status == 400)
            #expect(answer.field("Location") == nil)
        }
    }

    @Test func `without an address a page says so`() throws {
        let answer = bench.get("/end-session")
        #expect(answer.status == 200)
        #expect(answer.text.contains("You are signed out"))
        #expect(answer.field("Set-Cookie")?.contains("Max-Age=0") == true)
    }

    @Test func `the browser's session ends and tokens live on`() throws {
        let tokens = try bench.tokens()
        _ = bench.post("/end-session", [("id_token_hint", tokens.text("id_token") ?? "")])
        #expect(bench.refresh(tokens.text("refresh_token")).status == 200)
    }
}
