import AuthKitCore
import Foundation
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

    @Test func `SSL_CERT_DIR names a directory of hashed authorities`() async {
        await #expect(processExitsWith: .success) {
            let certificates = try Certificates()
            let server = try TLSServer(certificate: "server", certificates)
            defer { server.stop() }
            try #require(unsafe setenv("SSL_CERT_DIR", try certificates.hashed("authority"), 1) == 0)
            #expect(try await CurlTransport().send(try server.request()).status == 200)
            try #require(unsafe setenv("SSL_CERT_DIR", try certificates.hashed("other"), 1) == 0)
            let error = try await failure { try await CurlTransport().send(try server.request()) }
            #expect(error.reason == .tlsFailed)
        }
    }

    @Test(arguments: ["no_proxy", "NO_PROXY"])
    func `hosts of no_proxy are asked without a proxy`(_ name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            let proxy = try ScriptedServer.answering { _ in .answer(403) }
            try #require(unsafe setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1) == 0)
            try #require(unsafe setenv(name, "other.example,.inside.invalid", 1) == 0)
            let transport = CurlTransport()
            // RFC 6761 §6.4: names under `invalid` never resolve, so that nothing leaves the machine.
            let inside = HTTPRequest("GET", try #require(WebURL("https://auth.inside.invalid/")))
            let direct = try await failure { try await transport.send(inside) }
            #expect(direct.reason == .nameNotFound)
            #expect(proxy.acceptedCount == 0)
            let outside = HTTPRequest("GET", try #require(WebURL("https://auth.outside.invalid/")))
            _ = try await failure { try await transport.send(outside) }
            #expect(proxy.acceptedCount == 1)
        }
    }

    @Test func `no signal of the process is handled on the transport's thread`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer.answering { _ in .answer() }
            let transport = CurlTransport()
            _ = try await transport.send(HTTPRequest("GET", try server.url("/")))
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            let states = threads.compactMap {
                try? String(contentsOfFile: "/proc/self/task/\($0)/status", encoding: .utf8)
            }
            let own = try #require(states.first { $0.hasPrefix("Name:\tauthkit-http\n") })
            let line = try #require(own.split(separator: "\n").first { $0.hasPrefix("SigBlk:\t") })
            let blocked = try #require(UInt64(line.dropFirst(8), radix: 16))
            for signal in [SIGINT, SIGPIPE, SIGTERM, SIGCHLD] { #expect(blocked >> UInt64(signal - 1) & 1 == 1) }
        }
    }
}
