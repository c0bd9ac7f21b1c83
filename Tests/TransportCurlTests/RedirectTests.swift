import AuthKitCore
import Testing

@testable import TransportCurl

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
    let transport = CurlTransport()

    /// Redirects `/302` to `/end`, and `/302?to=URL` to the URL.
    private func server() throws -> ScriptedServer {
        try .answering { request in
            let parts = request.path.split(separator: "?", maxSplits: 1)
            guard let status = parts.first.flatMap({ Int($0.dropFirst()) }) else { return .answer(200, body: "end") }
            let target = parts.count > 1 ? String(parts[1].dropFirst(3)) : "/end#fragment"
            return .answer(status, ["Location: \(target)"])
        }
    }

    private func send(
        _ server: ScriptedServer,
        _ path: String,
        _ policy: RedirectPolicy,
        _ change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        var request = HTTPRequest("GET", try server.url(path))
        request.redirects = policy
        change(&request)
        return try await transport.send(request)
    }

    @Test func `a redirect is handed over by the policy never`() async throws {
        let server = try server()
        #expect(try await send(server, "/302", .never).status == 302)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect in the same origin is followed`(status: Int) async throws {
        let server = try server()
        let answer = try await send(server, "/\(status)", .sameOrigin(atMost: 1))
        #expect(answer.status == 200)
        #expect(answer.url.path == "/end")
    }

    @Test func `one redirect more than allowed is refused`() async throws {
        let server = try server()
        let error = try await failure { try await send(server, "/302?to=/302", .sameOrigin(atMost: 1)) }
        #expect(error.reason == .redirectRefused)
        #expect(error.delivery == .answeredUnclear)
        #expect(server.requests.count == 2)
    }

    @Test func `a redirect to another origin is handed over, credentials stay`() async throws {
        let (server, other) = (try server(), try server())
        let answer = try await send(server, "/302?to=\(try other.url("/end"))", .sameOrigin(atMost: 3)) {
            $0.fields = [HTTPField("Authorization", secret: Secret("Bearer x"))]
        }
        #expect(answer.status == 302)
        #expect(other.acceptedCount == 0)
    }

    @Test func `any origin is followed without a credential and refused with one`() async throws {
        let (server, other) = (try server(), try server())
        let path = "/302?to=\(try other.url("/end"))"
        #expect(try await send(server, path, .anyOrigin(atMost: 3)).url.port == other.port)
        let error = try await failure {
            try await send(server, path, .anyOrigin(atMost: 3)) {
                $0.fields = [HTTPField("Authorization", secret: Secret("Bearer x"))]
            }
        }
        #expect(error.reason == .redirectRefused)
        #expect(error.delivery == .notSent)
        #expect(server.requests.count == 1)
    }

    @Test func `any origin does not mean plain http`() async throws {
        let server = try server()
        let error = try await failure { try await send(server, "/302?to=http://192.0.2.1/", .anyOrigin(atMost: 3)) }
        #expect(error.reason == .redirectRefused)
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a POST is followed as the status says`(status: Int, method: String) async throws {
        let server = try server()
        _ = try await send(server, "/\(status)", .sameOrigin(atMost: 1)) {
            $0.method = "POST"
            $0.body = .form([FormParameter("a", "b")])
            $0.mayResend = true
        }
        let last = try #require(server.requests.last)
        #expect(last.line == "\(method) /end HTTP/1.1")
        #expect(last.body == (method == "POST" ? "a=b" : ""))
        #expect(last.values("content-type").isEmpty == (method == "GET"))
    }

    @Test func `a body that may not be sent again is not`() async throws {
        let server = try server()
        let answer = try await send(server, "/307", .sameOrigin(atMost: 1)) {
            $0.method = "POST"
            $0.body = .form([FormParameter("a", "b")])
        }
        #expect(answer.status == 307)
        #expect(server.requests.count == 1)
    }

    @Test func `the deadline covers all redirects`() async throws {
        let server = try ScriptedServer { connection in
            while let request = connection.readRequest() {
                connection.pause(200)
                connection.write(.answer(302, ["Location: \(request.path)x"]))
            }
        }
        let error = try await failure {
            try await send(server, "/", .sameOrigin(atMost: 1000)) { $0.deadline = .milliseconds(500) }
        }
        #expect(error.reason == .timedOut)
        #expect(error.delivery != .notSent)
    }

    // RFC 3986 §5.4, those that are web URLs; fragments are dropped.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
        ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://h/x", "https://h/x"), ("HTTP://h", "HTTP://h"),
    ])
    func `a reference is resolved as RFC 3986 has it`(reference: String, expected: String) throws {
        let start = try #require(WebURL("http://a/b/c/d;p?q"))
        #expect(start.resolving(reference)?.text == expected)
    }

    @Test(arguments: ["g:h", "javascript:alert(1)", "file:///etc/passwd", "https://u:p@h/", "http://h:99999/", "/ x"])
    func `a reference that is no web URL leads nowhere`(reference: String) throws {
        let start = try #require(WebURL("http://a/b/c/d;p?q"))
        #expect(start.resolving(reference) == nil)
    }
}
