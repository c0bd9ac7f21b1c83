import AuthKitCore
import Testing
import TransportCurl

@Suite(.timeLimit(.minutes(1))) struct CurlTransportTests {
    let transport = CurlTransport()

    @Test func `a GET arrives as written and its answer comes back whole`() async throws {
        let server = try ScriptedServer.answering { _ in
            .answer(200, ["X-One: a", "Set-Cookie: c=1", "X-One: b"], body: "hello")
        }
        var request = HTTPRequest("GET", try server.url("/a/../b%2Fc?x=1&y"))
        request.fields = [
            HTTPField("X-B", "2"), HTTPField("X-A", "1"), HTTPField("X-B", "3"), HTTPField("X-Empty", ""),
        ]
        let before = SystemTime().now
        let answer = try await transport.send(request)
        #expect(answer.status == 200)
        #expect(answer.body == Array("hello".utf8))
        #expect(answer.fields.all(named: "x-one") == ["a", "b"])
        #expect(answer.url == request.url)
        #expect(answer.receivedAt.since(before) >= .zero)
        let seen = try #require(server.requests.first)
        #expect(seen.line == "GET /a/../b%2Fc?x=1&y HTTP/1.1")
        let own = seen.lines.filter { $0.hasPrefix("X-") }
        #expect(own == ["X-B: 2", "X-A: 1", "X-B: 3", "X-Empty:"])
        #expect(seen.values("user-agent") == ["AuthKit/0.1.0"])
        #expect(seen.values("accept-encoding").isEmpty)
    }

    @Test func `a form is sent encoded, in order and without Expect`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let long = String(repeating: "x", count: 2_000_000)
        let parameters = [
            FormParameter("grant_type", "refresh_token"), FormParameter("refresh_token", secret: Secret("a b&ä")),
            FormParameter("long", long),
        ]
        let request = HTTPRequest("POST", try server.url("/token"), body: .form(parameters))
        _ = try await transport.send(request)
        let seen = try #require(server.requests.first)
        #expect(seen.line == "POST /token HTTP/1.1")
        #expect(seen.body == "grant_type=refresh_token&refresh_token=a+b%26%C3%A4&long=" + long)
        #expect(seen.values("content-type") == ["application/x-www-form-urlencoded"])
        #expect(seen.values("expect").isEmpty)
    }

    @Test func `an empty POST says that it is empty and names no media type`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        _ = try await transport.send(HTTPRequest("POST", try server.url("/")))
        let seen = try #require(server.requests.first)
        #expect(seen.values("content-length") == ["0"])
        #expect(seen.values("content-type").isEmpty)
    }

    @Test(arguments: ["DELETE", "PUT", "PATCH", "GET"])
    func `any method may carry bytes`(method: String) async throws {
        let server = try ScriptedServer.answering { _ in .answer(204) }
        let body = HTTPBody.bytes(Array("{}".utf8), contentType: "application/json")
        let answer = try await transport.send(HTTPRequest(method, try server.url("/x"), body: body))
        let seen = try #require(server.requests.first)
        #expect(answer.status == 204)
        #expect(seen.line == "\(method) /x HTTP/1.1")
        #expect(seen.body == "{}")
        #expect(seen.values("content-type") == ["application/json"])
    }

    @Test func `a HEAD is not waited on for a body`() async throws {
        let server = try ScriptedServer.answering { _ in "HTTP/1.1 200 X\r\nContent-Length: 5000000\r\n\r\n" }
        let answer = try await transport.send(HTTPRequest("HEAD", try server.url("/")))
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
    }

    @Test func `interim answers are dropped and trailers ignored`() async throws {
        let server = try ScriptedServer.answering { _ in
            "HTTP/1.1 103 X\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 X\r\nX-Late: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n"
        }
        let answer = try await transport.send(HTTPRequest("GET", try server.url("/")))
        #expect(answer.status == 200)
        #expect(answer.body == Array("ok".utf8))
        #expect(answer.fields.map(\.name) == ["X-Late", "Transfer-Encoding"])
    }

    @Test func `no cookie is kept`() async throws {
        let server = try ScriptedServer.answering { _ in .answer(200, ["Set-Cookie: sid=1; Path=/"]) }
        var request = HTTPRequest("GET", try server.url("/"))
        request.mayResend = true
        for _ in 0..<2 { _ = try await transport.send(request) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.values("cookie").isEmpty })
    }

    @Test func `localhost is reached without a name server`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let answer = try await transport.send(HTTPRequest("GET", try server.url("/", host: "localhost")))
        #expect(answer.status == 200)
        #expect(server.requests.first?.values("host") == ["localhost:\(server.port)"])
    }

    @Test func `two hundred requests at once all get their own answer`() async throws {
        let server = try ScriptedServer.answering { .answer(200, body: $0.path) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                var request = HTTPRequest("GET", try server.url("/\(number)"))
                request.mayResend = number.isMultiple(of: 2)
                group.addTask { [request] in
                    try await transport.send(request).body == Array("/\(number)".utf8)
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
        #expect(server.requests.count == 200)
    }
}
