import AuthKitCore
import Testing

/// `openssl s_server`, which answers any GET with a page; ended with `stop`.
struct TLSServer {
    let port: Int
    private let process: ChildProcess

    init(certificate: String, _ certificates: Certificates, arguments: [String] = []) throws {
        process = try ChildProcess(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificates.file(certificate)]
                + ["-key", certificates.key(certificate)] + arguments
        )
        // It says `ACCEPT 127.0.0.1:PORT` when it listens.
        let line = try #require(process.line(beginning: "ACCEPT"))
        port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
    }

    func request(host: String = "localhost", tls: TLSOptions = .init()) throws -> HTTPRequest {
        var request = HTTPRequest("GET", try #require(WebURL("https://\(host):\(port)/")))
        request.tls = tls
        return request
    }

    func stop() { process.stop() }
}
