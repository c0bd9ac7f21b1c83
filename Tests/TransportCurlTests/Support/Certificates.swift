import Foundation
import Glibc
import Testing

/// Authorities and certificates for one test, made with the `openssl` command and removed with their owner.
///
/// An authority and, signed by it, `server` (localhost, 127.0.0.1), `stranger` (another name) and `client`;
/// `other` is an authority that has signed nothing.
final class Certificates: Sendable {
    let directory: String

    init() throws {
        var template = Array("/tmp/transport-XXXXXX".utf8CString)
        directory = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
        for authority in ["authority", "other"] {
            try make(authority, ["-addext", "basicConstraints=critical,CA:TRUE"])
        }
        let signed = ["-CA", file("authority"), "-CAkey", key("authority")]
        try make("server", signed + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        try make("stranger", signed + ["-addext", "subjectAltName=DNS:stranger.example"])
        try make("client", signed + ["-addext", "extendedKeyUsage=clientAuth"])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    func file(_ name: String) -> String { "\(directory)/\(name).pem" }
    func key(_ name: String) -> String { "\(directory)/\(name).key" }

    /// A directory with one of them under its hash, as OpenSSL looks for it.
    func hashed(_ name: String) throws -> String {
        let openssl = try ChildProcess(["openssl", "x509", "-noout", "-subject_hash", "-in", file(name)])
        let hash = openssl.line(beginning: "")
        try #require(openssl.wait())
        let path = "\(directory)/\(name).hashed"
        try #require(unsafe mkdir(path, 0o700) == 0)
        try #require(unsafe symlink(file(name), "\(path)/\(try #require(hash)).0") == 0)
        return path
    }

    private func make(_ name: String, _ arguments: [String]) throws {
        let openssl = try ChildProcess(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                + ["-subj", "/CN=\(name)", "-keyout", key(name), "-out", file(name)] + arguments
        )
        try #require(openssl.wait(), "openssl makes certificates")
    }
}
