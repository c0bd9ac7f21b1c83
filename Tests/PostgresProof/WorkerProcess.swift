#if Postgres
import Foundation
import Glibc

/// A worker as its own process.
final class WorkerProcess {
    /// Its number.
    let number: Int
    private let process = Process()
    private let output = Pipe()

    /// Starts it and waits until it is ready.
    init(_ number: Int, options: ProofOptions, address: String, key: String, issuer: UInt16) throws {
        self.number = number
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "worker", "--number", "\(number)", "--rate", "\(Int(options.rate))", "--concurrent",
            "\(options.concurrent)", "--issuer", "\(issuer)",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["PROOF_ADDRESS": address, "PROOF_KEY": key]
        ) { _, new in new }
        process.standardOutput = output
        try process.run()
        guard try nextLine() == "ready" else { throw ProofError("Worker \(number) did not start.") }
    }

    /// Sends it a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits until it has ended; what it said at the end.
    func end() throws -> String {
        let line = try nextLine() ?? "ended without a word"
        process.waitUntilExit()
        return line
    }

    private func nextLine() throws -> String? {
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
#endif
