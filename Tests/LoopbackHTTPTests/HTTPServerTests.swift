import AuthKitCore
import AuthKitTesting
import Glibc
import Testing

@testable import LoopbackHTTP

@Suite(.timeLimit(.minutes(1))) struct HTTPServerTests {
    private static func echo(_ limits: ServerLimits = ServerLimits()) throws -> HTTPServer {
        try HTTPServer.start(limits: limits) { request in
            .text("\(request.method)|\(request.path)|\(request.rawQuery ?? "-")|\(request.body.count)")
        }
    }

    @Test func `a request arrives as it was written`() async throws {
        let server = try HTTPServer.start { request in
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            let fields = request.fields.all(named: "X-Two").joined(separator: ",")
            return .text("\(request.method) \(request.path) \(request.rawQuery ?? "-") \(query) \(fields)")
        }
        let answer = try await RawClient.request(
            "PUT",
            "/a%2Fb/../c?x=1%26&x=+2&y",
            port: server.port,
            fields: ["X-Two: one", "x-two: two"]
        )
        #expect(answer.status == 200)
        #expect(answer.body == "PUT /a%2Fb/../c x=1%26&x=+2&y x=1&,x= 2,y= one,two")
        await server.stop()
    }

    @Test func `a posted form is read, other bodies are not`() async throws {
        let server = try HTTPServer.start { request in
            .text(request.form().map { $0.map { "\($0.name)=\($0.value)" }.joined(separator: ",") } ?? "none")
        }
        let form = try await RawClient.post("/", form: "a=1+2&b=%C3%A9&a=3", port: server.port)
        #expect(form.body == "a=1 2,b=é,a=3")
        let json = try await RawClient.request(
            "POST",
            "/",
            port: server.port,
            fields: ["Content-Type: application/json"],
            body: "a=1"
        )
        #expect(json.body == "none")
        let broken = try await RawClient.post("/", form: "a=%zz", port: server.port)
        #expect(broken.body == "none")
        await server.stop()
    }

    @Test func `a body up to the cap is taken and a longer one answered with 413`() async throws {
        let server = try Self.echo(ServerLimits(bodyBytes: 1000))
        let whole = try await RawClient.request(
            "POST",
            "/",
            port: server.port,
            body: String(repeating: "x", count: 1000)
        )
        #expect(whole.body == "POST|/|-|1000")
        let long = try await RawClient.request(
            "POST",
            "/",
            port: server.port,
            body: String(repeating: "x", count: 1001)
        )
        #expect(long.status == 413)
        await server.stop()
    }

    @Test func `a chunked body is capped too`() async throws {
        let server = try Self.echo(ServerLimits(bodyBytes: 1000))
        let chunk = "1f4\r\n" + String(repeating: "x", count: 500) + "\r\n"
        let head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        let whole = try await RawClient.exchange(head + chunk + chunk + "0\r\n\r\n", port: server.port)
        #expect(whole.body == "POST|/|-|1000")
        let long = try await RawClient.exchange(head + chunk + chunk + chunk + "0\r\n\r\n", port: server.port)
        #expect(long.status == 413)
        await server.stop()
    }

    @Test func `an announced body far beyond the cap is refused before it comes`() async throws {
        let server = try Self.echo(ServerLimits(bodyBytes: 1000))
        let head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1000000000\r\n\r\n"
        #expect(try await RawClient.exchange(head, port: server.port).status == 413)
        let asking = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n"
        #expect(try await RawClient.exchange(asking, port: server.port).status == 413)
        await server.stop()
    }

    @Test func `a head beyond the cap is refused`() async throws {
        let server = try Self.echo(ServerLimits(headerBytes: 8192))
        let filler = String(repeating: "x", count: 200_000)
        let answer = try await RawClient.request("GET", "/", port: server.port, fields: ["X-Filler: \(filler)"])
        #expect((400...499).contains(answer.status))
        await server.stop()
    }

    @Test func `a handler past its deadline is answered with 503 and cancelled`() async throws {
        let time = ManualTime()
        let isCancelled = Latch<Bool>()
        let server = try HTTPServer.start(time: time) { _ in
            _ = await Latch<Void>().wait()
            isCancelled.open(Task.isCancelled)
            return .text("late")
        }
        async let answer = RawClient.request("GET", "/", port: server.port)
        await time.waitForSleepers(1)
        time.advance(by: .seconds(60))
        #expect(try await answer.status == 503)
        #expect(await isCancelled.wait() == true)
        await server.stop()
    }

    @Test func `stopping lets an answer under way finish and refuses whoever comes later`() async throws {
        let begun = Latch<Void>()
        let release = Latch<Void>()
        // The clock stands still, so that the grace outlasts a slow machine.
        let server = try HTTPServer.start(time: ManualTime()) { _ in
            begun.open(())
            _ = await release.wait()
            return .text("finished")
        }
        let port = server.port
        async let answer = RawClient.request("GET", "/", port: port)
        _ = await begun.wait()
        async let stopped: Void = server.stop()
        // Once the port refuses, the server waits for what is under way.
        while let descriptor = RawClient.connect(port) {
            close(descriptor)
            await Task.yield()
        }
        for _ in 0..<200 { await Task.yield() }
        release.open(())
        #expect(try await answer.body == "finished")
        await stopped
        #expect(RawClient.connect(port) == nil)
    }

    @Test func `stopping ends an answer that does not come within its grace`() async throws {
        let begun = Latch<Void>()
        let server = try HTTPServer.start { _ in
            begun.open(())
            _ = await Latch<Void>().wait()
            return .text("never")
        }
        let port = server.port
        async let answer = RawClient.request("GET", "/", port: port)
        _ = await begun.wait()
        await server.stop()
        #expect(try await answer.status == 503)
        #expect(RawClient.connect(port) == nil)
    }

    @Test func `a server that nobody holds closes its port`() async throws {
        let port: UInt16
        do {
            let server = try HTTPServer.start { _ in .text("") }
            port = server.port
        }
        // The close runs in the background: wait for it by taking the port, which needs it closed.
        var tries = 0
        while tries < 2000, (try? ListeningSocket.listen(v6: false, port: port)) == nil {
            tries += 1
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(tries < 2000)
    }

    @Test func `both families answer on one port`() async throws {
        let server = try HTTPServer.start(families: .both) { .text($0.host ?? "-") }
        let four = try await RawClient.request("GET", "/", port: server.port, host: "four")
        let six = try await RawClient.request("GET", "/", port: server.port, host: "six", v6: true)
        #expect(four.body == "four")
        #expect(six.body == "six")
        let port = server.port
        await server.stop()
        #expect(RawClient.connect(port) == nil)
        #expect(RawClient.connect(port, v6: true) == nil)
    }

    @Test func `a port that others have on either family is refused`() throws {
        let four = try ListeningSocket.listen(v6: false, port: 0)
        #expect(throws: LoopbackError.self) { try HTTPServer.start(port: four.port) { _ in .text("") } }
        let six = try ListeningSocket.listen(v6: true, port: 0)
        let error = #expect(throws: LoopbackError.self) {
            try HTTPServer.start(port: six.port, families: .both) { _ in .text("") }
        }
        #expect(error?.reason == .portBusy)
        #expect(error?.detail.contains("\(six.port)") == true)
    }

    @Test func `a port is free again as soon as the server has stopped`() async throws {
        let first = try Self.echo()
        _ = try await RawClient.request("GET", "/", port: first.port)
        let port = first.port
        await first.stop()
        let second = try HTTPServer.start(port: port) { _ in .text("second") }
        #expect(try await RawClient.request("GET", "/", port: port).body == "second")
        #expect(first.port == second.port)
        await second.stop()
    }

    @Test func `connections that say nothing do not keep others out`() async throws {
        let server = try Self.echo(ServerLimits(connections: 8))
        let idle = (0..<60).compactMap { _ in RawClient.connect(server.port) }
        for descriptor in idle { #expect(RawClient.write("GET / HT", to: descriptor) || idle.count > 8) }
        #expect(try await RawClient.request("GET", "/", port: server.port).status == 200)
        for descriptor in idle { close(descriptor) }
        await server.stop()
    }

    @Test(arguments: ["GET http://a/ HTTP/1.1", "GET * HTTP/1.1", "GET /a#b HTTP/1.1", "GET /\u{e9} HTTP/1.1"])
    func `a target that is no plain path is refused`(_ line: String) async throws {
        let server = try Self.echo()
        let answer = try await RawClient.exchange("\(line)\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.port)
        #expect(answer.status == 400)
        await server.stop()
    }

    @Test func `an answer with a line end in a field becomes 500, and framing is the server's`() async throws {
        let server = try HTTPServer.start { request in
            request.path == "/bad"
                ? ServerResponse(status: 200, fields: [HTTPField("X", "a\r\nSet-Cookie: b")])
                : ServerResponse(status: 200, fields: [HTTPField("Content-Length", "1")], body: Array("whole".utf8))
        }
        let bad = try await RawClient.request("GET", "/bad", port: server.port)
        #expect(bad.status == 500)
        #expect(bad.fields.first(named: "Set-Cookie") == nil)
        let framed = try await RawClient.request("GET", "/", port: server.port)
        #expect(framed.body == "whole")
        #expect(framed.fields.all(named: "Content-Length") == ["5"])
        #expect(framed.fields.first(named: "Server") == nil)
        await server.stop()
    }

    @Test func `one connection carries many requests`() async throws {
        let server = try Self.echo()
        let one = "GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
        let last = "GET /two HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let answer = try await RawClient.exchange(one + last, port: server.port)
        #expect(answer.body.contains("GET|/two|-|0"))
        await server.stop()
    }

    @Test func `two hundred requests at a time are all answered`() async throws {
        let server = try Self.echo()
        let port = server.port
        let good = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await RawClient.request("GET", "/\(number)", port: port).body == "GET|/\(number)|-|0"
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 200)
        await server.stop()
    }

    @Test func `a missing library names the package`() {
        let error = #expect(throws: LoopbackError.self) { try MicroHTTPD.open("libmicrohttpd-missing.so.0") }
        #expect(error?.reason == .libraryMissing)
        #expect(error?.detail.contains("libmicrohttpd12") == true)
    }
}
