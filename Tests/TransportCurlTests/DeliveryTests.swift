import AuthKitCore
import Testing
import TransportCurl

@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
    let transport = CurlTransport()

    private func get(_ url: WebURL, _ change: (inout HTTPRequest) -> Void = { _ in }) async throws -> TransportError {
        var request = HTTPRequest("GET", url)
        change(&request)
        return try await failure { [request] in try await transport.send(request) }
    }

    @Test func `a closed port means that nothing was sent`() async throws {
        let server = try ScriptedServer { _ in }
        let url = try server.url("/")
        server.close()
        let error = try await get(url)
        #expect(error.reason == .cannotConnect)
        #expect(error.delivery == .notSent)
    }

    @Test func `a name that does not exist means that nothing was sent`() async throws {
        let error = try await get(try #require(WebURL("https://nobody.invalid/")))
        #expect(error.reason == .nameNotFound)
        #expect(error.delivery == .notSent)
    }

    @Test func `a connection closed before the answer leaves open what happened`() async throws {
        let server = try ScriptedServer { _ = $0.readRequest() }
        let error = try await get(try server.url("/"))
        #expect(error.reason == .connectionLost)
        #expect(error.delivery == .sentNoAnswer)
    }

    @Test func `a body that ends early is no answer`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nhalf")
        }
        let error = try await get(try server.url("/"))
        #expect(error.reason == .connectionLost)
        #expect(error.delivery == .sentNoAnswer)
    }

    @Test(arguments: ["Content-Length: 4\r\n\r\nfour", "Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n"])
    func `a body beyond the limit ends the exchange, one at the limit does not`(rest: String) async throws {
        let server = try ScriptedServer.answering { _ in "HTTP/1.1 200 X\r\n" + rest }
        let error = try await get(try server.url("/")) { $0.bodyLimit = 3 }
        #expect(error.reason == .bodyTooLarge)
        #expect(error.delivery == .sentNoAnswer)
        var request = HTTPRequest("GET", try server.url("/"))
        request.bodyLimit = 4
        #expect(try await transport.send(request).body == Array("four".utf8))
    }

    @Test func `a header without end is cut off`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 X\r\n")
            let line = "X-Fill: \(String(repeating: "x", count: 1000))\r\n"
            while connection.write(line) {}
        }
        let error = try await get(try server.url("/"))
        #expect(error.reason == .bodyTooLarge)
        #expect(error.delivery == .sentNoAnswer)
    }

    @Test func `the total deadline ends an exchange however lively it is`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n")
            // Without a deadline the answer would be whole after twenty seconds.
            for _ in 0..<1000 where connection.write("x") { connection.pause(20) }
        }
        // A busy machine may not even connect within the shortest.
        for deadline in [Duration.milliseconds(300), .seconds(1), .seconds(3), .seconds(9)] {
            let error = try await get(try server.url("/")) { request in
                request.deadline = deadline
                request.idleDeadline = .seconds(60)
            }
            #expect(error.reason == .timedOut)
            guard error.delivery == .notSent else {
                #expect(error.delivery == .sentNoAnswer)
                return
            }
        }
        Issue.record("Nothing was sent within nine seconds.")
    }

    @Test func `the idle deadline spares a dripping answer and ends a silent one`() async throws {
        let server = try ScriptedServer { connection in
            let path = connection.readRequest()?.path
            connection.write("HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\n")
            for _ in 0..<(path == "/drips" ? 10 : 5) {
                connection.pause(250)
                connection.write("x")
            }
            _ = connection.seesClose()
        }
        var request = HTTPRequest("GET", try server.url("/drips"))
        request.idleDeadline = .seconds(2)
        #expect(try await transport.send(request).body.count == 10)
        // Without the deadline the server would close first, ten seconds later.
        let error = try await get(try server.url("/stops")) { $0.idleDeadline = .seconds(2) }
        #expect(error.reason == .timedOut)
        #expect(error.delivery == .sentNoAnswer)
    }

    @Test func `a deadline that passes during the TLS handshake means that nothing was sent`() async throws {
        let server = try ScriptedServer { connection in
            while !connection.read(1).isEmpty {}
        }
        let error = try await get(try server.url("/", scheme: "https")) { $0.deadline = .milliseconds(300) }
        #expect(error.reason == .timedOut)
        #expect(error.delivery == .notSent)
    }

    @Test func `plain http beyond loopback is refused before anything is sent`() async throws {
        let error = try await get(try #require(WebURL("http://192.0.2.1/")))
        #expect(error.reason == .insecureURL)
        #expect(error.delivery == .notSent)
    }

    @Test(arguments: [
        HTTPField("X-A", "1\r\nX-B: 2"), HTTPField("X-A", "1\nX-B: 2"), HTTPField("X-A", "1\u{0}"),
        HTTPField("X-A: 1\r\nX-B", "2"), HTTPField("X A", "1"), HTTPField("", "1"), HTTPField("Content-Length", "5"),
        HTTPField("Transfer-Encoding", "chunked"), HTTPField("Host", "elsewhere"),
    ])
    func `a field that could smuggle another is refused before anything is sent`(field: HTTPField) async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let error = try await get(try server.url("/")) { $0.fields = [field] }
        #expect(error.reason == .unusable)
        #expect(error.delivery == .notSent)
        #expect(server.acceptedCount == 0)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: y\r\n\r\nGET", "", "G ET"])
    func `a method that is no token is refused`(method: String) async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let error = try await get(try server.url("/")) { $0.method = method }
        #expect(error.reason == .unusable)
        #expect(server.acceptedCount == 0)
    }

    @Test func `a media type that holds a line end is refused`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let error = try await get(try server.url("/")) { $0.body = .bytes([1], contentType: "a/b\r\nX: y") }
        #expect(error.reason == .unusable)
        #expect(server.acceptedCount == 0)
    }
}
