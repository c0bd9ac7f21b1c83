import Foundation
import Testing

/// Authorities and certificates for one run, made with the `openssl` command.
struct Certificates: Sendable {
    let directory: String

    /// An authority and, signed by it, `server` (localhost, 127.0.0.1), `stranger` (another name) and `client`;
    /// `other` is an authority that has signed nothing.
    static let shared = Result { try Certificates() }

    private init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "transport-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        directory = url.path
        for authority in ["authority", "other"] {
            try make(authority, ["-addext", "basicConstraints=critical,CA:TRUE"])
        }
        let signed = ["-CA", file("authority"), "-CAkey", key("authority")]
        try make("server", signed + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        try make("stranger", signed + ["-addext", "subjectAltName=DNS:stranger.example"])
        try make("client", signed + ["-addext", "extendedKeyUsage=clientAuth"])
    }

    func file(_ name: String) -> String { "\(directory)/\(name).pem" }
    func key(_ name: String) -> String { "\(directory)/\(name).key" }

    private func make(_ name: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            + ["-subj", "/CN=\(name)", "-keyout", key(name), "-out", file(name)] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl makes certificates")
    }
}
