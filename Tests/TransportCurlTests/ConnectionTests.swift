import AuthKitCore
import Testing

@testable import TransportCurl

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    private func request(_ server: ScriptedServer, mayResend: Bool) throws -> HTTPRequest {
        var request = HTTPRequest("GET", try server.url("/"))
        request.mayResend = mayResend
        return request
    }

    @Test func `requests that may be sent again share a connection`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let transport = CurlTransport()
        for _ in 0..<5 { _ = try await transport.send(try request(server, mayResend: true)) }
        #expect(server.requests.count == 5)
        #expect(server.acceptedCount == 1)
    }

    @Test func `a request that may not be sent again gets a fresh connection`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let transport = CurlTransport()
        _ = try await transport.send(try request(server, mayResend: true))
        for _ in 0..<3 { _ = try await transport.send(try request(server, mayResend: false)) }
        #expect(server.acceptedCount == 4)
    }

    @Test func `only what may be sent again is, on a kept connection that turns out dead`() async throws {
        // Answers the first request of the first connection, hangs up on every other.
        let server = try ScriptedServer { connection in
            let isFirst = connection.readRequest()?.path == "/first"
            if isFirst { connection.write(.answer()) }
            _ = isFirst ? connection.readRequest() : nil
        }
        let transport = CurlTransport()
        var first = HTTPRequest("GET", try server.url("/first"))
        first.mayResend = true
        _ = try await transport.send(first)
        var again = HTTPRequest("POST", try server.url("/again"), body: .form([]))
        again.mayResend = true
        let lost = try await failure { [again] in try await transport.send(again) }
        #expect(lost.delivery == .sentNoAnswer)
        #expect(server.requests.map(\.path) == ["/first", "/again", "/again"])

        _ = try await transport.send(first)
        let once = HTTPRequest("POST", try server.url("/once"), body: .form([]))
        let error = try await failure { try await transport.send(once) }
        #expect(error.delivery == .sentNoAnswer)
        #expect(server.requests.filter { $0.path == "/once" }.count == 1)
    }

    @Test func `cancellation closes the connection and throws at once`() async throws {
        let arrived = Signal()
        let closed = Signal()
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            arrived.send()
            closed.send(connection.seesClose())
        }
        let transport = CurlTransport()
        let request = try request(server, mayResend: false)
        let task = Task { try await transport.send(request) }
        #expect(await arrived.value)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await closed.value)
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let transport = CurlTransport()
        let request = try request(server, mayResend: false)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.send(request)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.acceptedCount == 0)
    }

    @Test func `many cancelled at any moment each end once`() async throws {
        let server = try ScriptedServer.answering { _ in .answer() }
        let transport = CurlTransport()
        let request = try request(server, mayResend: false)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let task = Task { try await transport.send(request) }
                group.addTask {
                    for _ in 0..<number { await Task.yield() }
                    task.cancel()
                    let result = await task.result
                    if case .failure(let error) = result { #expect(error is CancellationError) }
                }
            }
        }
        #expect(try await transport.send(request).status == 200)
    }

    @Test func `kept connections close when the transport goes away`() async throws {
        let closed = Signal()
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write(.answer())
            closed.send(connection.seesClose())
        }
        let request = try request(server, mayResend: true)
        try await Self.sendOnce(request)
        #expect(await closed.value)
    }

    @Test func `a missing library is named together with its package`() throws {
        let error = #expect(throws: TransportError.self) { try CurlLibrary.open("libcurl-is-not-here.so.4") }
        #expect(error?.reason == .unusable)
        #expect(error?.delivery == .notSent)
        #expect(error?.detail.contains("libcurl4") == true)
    }

    private static func sendOnce(_ request: HTTPRequest) async throws {
        _ = try await CurlTransport().send(request)
    }
}
