import AuthKitCore
import Glibc
import Testing
import TransportCurl

/// What a process takes from its environment, each in a process of its own.
@Suite(.timeLimit(.minutes(1))) struct EnvironmentTests {
    @Test func `loopback never goes through a proxy, everything else does`() async {
        await #expect(processExitsWith: .success) {
            let arrived = Signal()
            let proxy = try ScriptedServer { connection in
                _ = connection.readRequest()
                connection.write("HTTP/1.1 403 X\r\nContent-Length: 0\r\n\r\n")
                arrived.send()
            }
            for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
                try #require(unsafe setenv(name, "http://user:hidden@127.0.0.1:\(proxy.port)", 1) == 0)
            }
            let transport = CurlTransport()
            let server = try ScriptedServer.answering { _ in .answer() }
            for host in ["127.0.0.1", "localhost"] {
                let answer = try await transport.send(HTTPRequest("GET", try server.url("/", host: host)))
                #expect(answer.status == 200)
            }
            #expect(proxy.acceptedCount == 0)
            let beyond = HTTPRequest("GET", try #require(WebURL("https://auth.example/")))
            let error = try await failure { try await transport.send(beyond) }
            #expect(error.delivery == .notSent)
            #expect(error.detail.contains("hidden") == false)
            #expect(await arrived.value)
            #expect(proxy.requests.first?.line == "CONNECT auth.example:443 HTTP/1.1")
        }
    }

    @Test func `SSL_CERT_FILE names the authorities`() async {
        await #expect(processExitsWith: .success) {
            let certificates = try Certificates()
            let server = try TLSServer(certificate: "server", certificates)
            defer { server.stop() }
            try #require(unsafe setenv("SSL_CERT_FILE", certificates.file("authority"), 1) == 0)
            #expect(try await CurlTransport().send(try server.request()).status == 200)
            try #require(unsafe setenv("SSL_CERT_FILE", certificates.file("other"), 1) == 0)
            let error = try await failure { try await CurlTransport().send(try server.request()) }
            #expect(error.reason == .tlsFailed)
        }
    }

    @Test func `a broken connection raises no signal`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer { _ = $0.read(1) }
            let body = HTTPBody.bytes([UInt8](repeating: 65, count: 8_000_000), contentType: "text/plain")
            let request = HTTPRequest("POST", try server.url("/"), body: body)
            let transport = CurlTransport()
            for _ in 0..<5 {
                let error = try await failure { try await transport.send(request) }
                #expect(error.delivery == .sentNoAnswer)
            }
        }
    }
}
