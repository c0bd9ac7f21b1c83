import AuthKitCore
import Foundation
import Testing

/// `openssl s_server`, which answers any GET with a page; ended with `stop`.
struct TLSServer {
    let port: Int
    private let process: Process

    init(certificate: String, _ certificates: Certificates, arguments: [String] = []) throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificates.file(certificate)]
            + ["-key", certificates.key(certificate)] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // It says `ACCEPT 127.0.0.1:PORT` when it listens.
        var text = ""
        var found: Int?
        while found == nil {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
            if let range = text.range(of: "ACCEPT "), let end = text[range.upperBound...].firstIndex(of: "\n") {
                found = text[range.upperBound..<end].split(separator: ":").last.flatMap { Int($0) }
            }
        }
        port = try #require(found)
    }

    func request(host: String = "localhost", tls: TLSOptions = .init()) throws -> HTTPRequest {
        var request = HTTPRequest("GET", try #require(WebURL("https://\(host):\(port)/")))
        request.tls = tls
        return request
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
