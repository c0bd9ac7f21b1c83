import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A process of the victim from its start to its end; what it prints goes to a file.
struct RunningVictim {
    private let process: Process
    private let printed: URL
    private let ends: AsyncStream<Int32>

    /// Starts it.
    init(_ process: Process, printingIn folder: URL) throws {
        printed = folder.appendingPathComponent("printed-\(UUID())")
        try Data().write(to: printed)
        process.standardOutput = try FileHandle(forWritingTo: printed)
        let (ends, told) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            told.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
            told.finish()
        }
        self.ends = ends
        self.process = process
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// Waits until a signal has stopped every thread of it.
    func waitUntilStopped() async throws {
        while !isStopped {
            try #require(process.isRunning, "the process ended instead of stopping")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Lets it go on after a stop.
    func resume() throws {
        try #require(kill(process.processIdentifier, SIGCONT) == 0)
    }

    /// Waits for its end; the exit code, or the signal with a minus, and the lines that it printed.
    func end() async throws -> (code: Int32, lines: [Substring]) {
        var iterator = ends.makeAsyncIterator()
        let code = try #require(await iterator.next())
        return (code, try String(contentsOf: printed, encoding: .utf8).split(separator: "\n"))
    }

    /// Ends it if it still runs, stopped or not.
    func cutShort() {
        if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }  // Gone already, if it fails.
    }

    private var isStopped: Bool {
        let tasks = "/proc/\(process.processIdentifier)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: tasks) else { return false }
        return !threads.isEmpty
            && threads.allSatisfy { thread in
                let status = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8)
                // proc_pid_stat(5): the state stands behind the name, which is in brackets and may hold some.
                return status?.split(separator: ")").last?.hasPrefix(" T ") == true
            }
    }
}
