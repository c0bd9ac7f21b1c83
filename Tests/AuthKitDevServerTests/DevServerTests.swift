import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import Testing
import TransportCurl

/// The server over sockets: what only a connection shows.
@Suite struct DevServerTests {
    private let transport = CurlTransport()

    private static func options(_ faults: [Fault], time: any TimeSource = SystemTime()) -> DevIssuerOptions {
        var options = DevIssuerOptions(time: time)
        options.algorithm = .es256
        options.hasKeyForEachAlgorithm = false
        options.faults = faults
        return options
    }

    private func withServer(_ faults: [Fault] = [], _ body: (DevServer) async throws -> Void) async throws {
        let server = try await DevServer.start(options: Self.options(faults))
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func send(
        _ server: DevServer,
        _ method: String,
        _ path: String,
        body: HTTPBody? = nil,
        fields: [HTTPField] = [],
        deadline: Duration = .seconds(20)
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method, try #require(WebURL(server.issuer.url + path)), fields: fields, body: body)
        request.deadline = deadline
        return try await transport.send(request)
    }

    private func refresh(
        _ server: DevServer,
        _ token: String,
        deadline: Duration = .seconds(20)
    ) async throws -> HTTPResponse {
        let form = [
            FormParameter("grant_type", "refresh_token"), FormParameter("client_id", "dev"),
            FormParameter("refresh_token", secret: Secret(token)),
        ]
        return try await send(server, "POST", "/token", body: .form(form), deadline: deadline)
    }

    /// Signs in by fetching what a browser would fetch.
    private func refreshToken(_ server: DevServer) async throws -> String {
        let request = [
            "response_type=code", "client_id=dev", "redirect_uri=dev.authkit.example%3A%2Fcallback", "scope=openid",
            "code_challenge=\(IssuerBench.challenge)", "code_challenge_method=S256",
        ]
        let answer = try await send(server, "GET", "/authorize?" + request.joined(separator: "&"))
        let location = try #require(answer.fields.first(named: "Location"))
        let code = try #require(location.split(separator: "?").last?.split(separator: "&").first?.dropFirst(5))
        let form = [
            FormParameter("grant_type", "authorization_code"), FormParameter("client_id", "dev"),
            FormParameter("redirect_uri", "dev.authkit.example:/callback"), FormParameter("code", String(code)),
            FormParameter("code_verifier", IssuerBench.verifier),
        ]
        let tokens = try await send(server, "POST", "/token", body: .form(form))
        return try #require(JSONValue(parsing: tokens.body)["refresh_token"]?.string)
    }

    @Test func `a server names itself in its metadata and its ready line`() async throws {
        try await withServer { server in
            let issuer = "http://127.0.0.1:\(server.port)"
            let answer = try await send(server, "GET", "/.well-known/openid-configuration")
            #expect(try JSONValue(parsing: answer.body)["issuer"]?.string == issuer)
            let line = server.readyLine
            #expect(line.text("issuer") == issuer)
            #expect(line.text("discovery") == issuer + "/.well-known/openid-configuration")
            #expect(line["clients"] == ["dev", "dev-conf"])
            #expect(line["users"] == ["alice", "bob"])
            #expect(line.text("faults") == issuer + "/dev/faults")
        }
    }

    @Test func `a request for another host is misdirected`() async throws {
        let issuer = try DevIssuer(origin: "http://127.0.0.1:1", options: Self.options([]))
        let desk = Desk()
        let ask = { (host: String) async in
            await desk.answer(
                ServerRequest(method: "GET", target: "/dev/stats", fields: [HTTPField("Host", host)], body: [])
            ).status
        }
        #expect(await ask("127.0.0.1:1") == 503)
        desk.open(issuer, port: 1)
        #expect(await ask("127.0.0.1:1") == 200)
        #expect(await ask("localhost:1") == 200)
        #expect(await ask("evil.example") == 421)
        #expect(await ask("127.0.0.1:2") == 421)
    }

    @Test func `of a hundred connections with one token one is granted`() async throws {
        try await withServer { server in
            let token = try await refreshToken(server)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await self.refresh(server, token).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 1)
            #expect(statuses.count { $0 == 400 } == 99)
            let answer = try await send(server, "GET", "/dev/stats")
            let statistics = try JSONValue(parsing: answer.body)
            #expect(statistics["refreshes_granted"] == 1)
            #expect(statistics["families_killed"] == 1)
        }
    }

    @Test(arguments: [(FaultKind.close, 0), (.closeAfterCommit, 1)])
    func `a closed connection brings no answer`(_ kind: FaultKind, _ granted: Int) async throws {
        try await withServer([Fault(.refresh, kind)]) { server in
            let token = try await refreshToken(server)
            let error = await #expect(throws: TransportError.self) { try await refresh(server, token) }
            #expect(error?.delivery == .sentNoAnswer)
            #expect(server.issuer.statistics.refreshesGranted == granted)
        }
    }

    @Test func `after a commit the server can hang, and still stops`() async throws {
        try await withServer([Fault(.refresh, .hangAfterCommit)]) { server in
            let token = try await refreshToken(server)
            let error = await #expect(throws: TransportError.self) {
                try await refresh(server, token, deadline: .milliseconds(300))
            }
            #expect(error?.reason == .timedOut)
            #expect(server.issuer.statistics.refreshesGranted == 1)
        }
    }

    @Test func `a hang ends with the right answer`() async throws {
        let time = ManualTime()
        let faults = [Fault(.refresh, .hang(seconds: 5))]
        let server = try await DevServer.start(options: Self.options(faults, time: time))
        let token = try await refreshToken(server)
        async let answer = refresh(server, token)
        await time.waitForSleepers(1)
        time.advance(by: .seconds(5))
        #expect(try await answer.status == 200)
        await server.stop()
    }

    @Test func `a dripping answer is whole in the end and late before`() async throws {
        try await withServer([Fault(.jwks, .drip, count: 2)]) { server in
            let early = await #expect(throws: TransportError.self) {
                try await send(server, "GET", "/jwks", deadline: .milliseconds(300))
            }
            #expect(early?.reason == .timedOut)
            let answer = try await send(server, "GET", "/jwks", deadline: .seconds(60))
            #expect(try JSONValue(parsing: answer.body)["keys"]?.array?.count == 1)
        }
    }

    @Test func `a busy port is said so`() async throws {
        try await withServer { server in
            let error = await #expect(throws: LoopbackError.self) { _ = try await DevServer.start(port: server.port) }
            #expect(error?.reason == .portBusy)
        }
    }
}
