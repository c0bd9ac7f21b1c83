#if Postgres
internal import AuthKitCore
internal import Foundation
internal import Glibc

/// A PostgreSQL server of this process: it ends, and its data go, when the process does.
package actor PrivateServer {
    /// Why there is none.
    package struct Unavailable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The server that tests share which do not stop it.
    package static let shared = Task { try await PrivateServer.start() }

    /// Whether tests of it run: where there is one, and in CI, where one that is missing is a failure; says why not.
    package static var isAvailable: Bool {
        get async {
            do {
                _ = try await shared.value
                return true
            } catch {
                if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
                FileHandle.standardError.write(Data("Tests of PostgresStore are skipped: \(error)\n".utf8))
                return false
            }
        }
    }

    private nonisolated let executor = BlockingExecutor(label: "PrivateServer")
    private let process = Process()
    private let words = Pipe()
    private let answers = Pipe()
    private let complaints = Pipe()

    private init() {}

    /// Reading from the server's script blocks.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// The connection string of its superuser.
    package private(set) var address = ""
    /// The file of the authority that signed its certificate, which is for `localhost`; empty where it has none.
    package private(set) var authority = ""
    /// The file of an authority that signed nothing.
    package private(set) var stranger = ""

    /// Starts a server on a free port.
    ///
    /// With settings of postgresql.conf: `fsync=off`; with TLS it lets nobody in without.
    package static func start(
        _ settings: [String] = ["fsync=off"],
        withTLS: Bool = false
    ) async throws -> PrivateServer {
        let server = PrivateServer()
        let port = try freePort()
        try await server.begin((withTLS ? ["--tls"] : []) + ["\(port)"] + settings)
        return server
    }

    /// Has the server obey a word: `stop`, `crash`, `start`.
    package func obey(_ word: String) throws {
        try words.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
        guard try nextLine() == "done" else { throw Unavailable(description: "The server did not \(word).") }
    }

    /// Ends the server and waits until it has.
    package func end() throws {
        try words.fileHandleForWriting.close()
        while try nextLine() != nil {}
        process.waitUntilExit()
    }

    private func begin(_ arguments: [String]) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        process.executableURL = root.appendingPathComponent("scripts/lib/private-postgres.sh")
        process.arguments = arguments
        process.standardInput = words
        process.standardOutput = answers
        process.standardError = complaints
        try process.run()
        while let line = try nextLine() {
            if line == "ready" { return }
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "address": address = String(parts[1])
            case "authority": authority = String(parts[1])
            case "stranger": stranger = String(parts[1])
            default: break
            }
        }
        let reason = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        throw Unavailable(description: reason.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func nextLine() throws -> String? {
        var line = Data()
        while let byte = try answers.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe bind(descriptor, place, size) == 0 && getsockname(descriptor, place, &size) == 0
            }
        }
        guard isBound else { throw Unavailable(description: "There is no free port.") }
        return UInt16(bigEndian: place.sin_port)
    }
}
#endif
