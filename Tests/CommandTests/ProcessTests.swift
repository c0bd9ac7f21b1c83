import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// The executable itself: what only a process of its own can show.
@Suite struct ProcessTests {
    /// One run of the executable.
    final class Run: @unchecked Sendable {
        // Foundation's own classes; each run is used by one test's task only.
        let process = Process()
        private let output = Pipe()
        private let messages = Pipe()

        static var executable: URL {
            get throws {
                let bundle = URL(fileURLWithPath: try #require(CommandLine.arguments.first))
                return bundle.deletingLastPathComponent().appendingPathComponent("authkit").resolvingSymlinksInPath()
            }
        }

        /// Whether anybody may run a file: every directory on the way can be searched by all.
        static func isReachable(_ path: String) -> Bool {
            guard path != "/" else { return true }
            guard let status = FileStatus(path), status.mode & 0o001 != 0 else { return false }
            return isReachable(Places.parent(of: path))
        }

        init(
            _ harness: CommandHarness,
            _ arguments: [String],
            output path: String? = nil,
            program: URL? = nil
        ) throws {
            process.executableURL = try program ?? Self.executable
            process.arguments = arguments
            process.environment = harness.variables.merging(ProcessInfo.processInfo.environment) { mine, _ in mine }
            process.environment?["XDG_RUNTIME_DIR"] = nil
            process.standardError = messages
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try path.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) } ?? output
            try process.run()
        }

        /// Reads standard error up to a text.
        func waitForMessage(_ text: String) async -> Bool {
            await ProcessTests.blocking { [messages] in
                var seen = Data()
                while String(decoding: seen, as: UTF8.self).contains(text) == false {
                    let data = messages.fileHandleForReading.availableData
                    if data.isEmpty { return false }
                    seen += data
                }
                return true
            }
        }

        /// Reads what standard output has next, empty at its end.
        func nextOutput() async -> String {
            await ProcessTests.blocking { [output] in
                String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            }
        }

        func end() async -> (reason: Process.TerminationReason, status: Int32) {
            await ProcessTests.blocking { [process] in
                process.waitUntilExit()
                return (process.terminationReason, process.terminationStatus)
            }
        }
    }

    /// Waits on a thread of its own: the issuer of the same test needs the shared ones.
    static func blocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    @Test func `a full disk under standard output is 74`() async throws {
        let run = try Run(try CommandHarness(), ["--help"], output: "/dev/full")
        #expect(await run.end() == (.exit, 74))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends a waiting login by that signal and leaves nothing behind`(_ number: Int32) async throws {
        let server = try await DevServer.start()
        let harness = try CommandHarness()
        _ = await harness.run(
            "profile",
            "add",
            "m",
            "--issuer",
            server.issuer.url,
            "--client-id",
            "dev",
            "--redirect-uri",
            "dev.authkit.example:/callback"
        )
        let run = try Run(harness, ["login", "--no-browser"])
        #expect(await run.waitForMessage("/authorize?"))
        #expect(kill(run.process.processIdentifier, number) == 0)
        #expect(await run.end() == (.uncaughtSignal, number))
        #expect(Directory.names(in: harness.home).allSatisfy { !$0.hasSuffix(".sock") })
        await server.stop()
    }

    @Test func `callback overwrites the URL in its own arguments`() async throws {
        let harness = try CommandHarness()
        let socket = try UnixSocket.listening(
            at: harness.home + "/login-0000000000000000-00000000000000ff-00000000.sock"
        )
        let run = try Run(harness, ["callback", "dev.example:/callback?code=hush&state=x"])
        // The executable is inside its offer now, and stays there until it is answered.
        let connection = try #require(await Self.blocking { socket.next(within: 20_000, user: geteuid()) })
        #expect(connection.collect(limit: 1000, within: 5000) == Array("dev.example:/callback?code=hush&state=x".utf8))
        let line = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(run.process.processIdentifier)/cmdline"))
        #expect(!String(decoding: line, as: UTF8.self).contains("hush"))
        #expect(String(decoding: line, as: UTF8.self).contains("callback"))
        #expect(connection.deliver(Array("accepted".utf8), within: 5000))
        #expect(await run.end() == (.exit, 0))
    }

    /// Whether the executable can be run as somebody who is not root.
    private static let canRunUnprivileged: Bool = {
        guard geteuid() == 0 else { return true }
        guard let executable = try? Run.executable else { return false }
        return FileStatus.isExecutable("/usr/bin/setpriv") && Run.isReachable(executable.path)
    }()

    @Test(
        .enabled(
            if: canRunUnprivileged,
            "root cannot run it as somebody else: setpriv is missing, or only root can reach the executable"
        )
    )
    func `other processes of the same user cannot look into it`() async throws {
        // proc(5): what lies below /proc/PID belongs to root when the process is not dumpable, else to its user.
        // Root's own processes show no difference, so that root runs it as somebody else.
        let nobody: UInt32 = 65_534
        let isRoot = geteuid() == 0
        let server = try await DevServer.start()
        let harness = try CommandHarness()
        _ = await harness.run("profile", "add", "m", "--issuer", server.issuer.url, "--client-id", "dev")
        let run: Run
        if isRoot {
            let executable = try Run.executable.path
            try #require(harness.giveAway(to: nobody))
            run = try Run(
                harness,
                ["--reuid=65534", "--regid=65534", "--clear-groups", executable, "login", "--no-browser"],
                program: URL(fileURLWithPath: "/usr/bin/setpriv")
            )
        } else {
            run = try Run(harness, ["login", "--no-browser"])
        }
        #expect(await run.waitForMessage("/authorize?"))
        let process = run.process.processIdentifier
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let user = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }?.split(separator: "\t").last
        #expect(user.flatMap { UInt32($0) } == (isRoot ? nobody : geteuid()))
        #expect(FileStatus("/proc/\(process)/environ")?.owner == 0)
        run.process.terminate()
        #expect(await run.end().reason == .uncaughtSignal)
        await server.stop()
    }

    @Test(arguments: ["sqlite:limited.db", "file:limited"])
    func `a limit on file sizes under a refresh is 74, and no token is printed`(_ store: String) async throws {
        let bench = try await SignInCommandTests.Bench.start()
        let place = ["--store", store.replacingOccurrences(of: ":", with: ":\(bench.harness.home)/")]
        #expect(await bench.login(place).exit == .done)
        let before = await bench.run(["token"] + place).output
        // A save that goes beyond the limit raises SIGXFSZ, which ends a process that neither ignores nor blocks it.
        let words = ["token", "--min-ttl", "99999"] + place
        let line = ["-c", "ulimit -f 400; exec \"$0\" \"$@\"", try Run.executable.path] + words
        let run = try Run(bench.harness, line, program: URL(fileURLWithPath: "/bin/sh"))
        #expect(await run.nextOutput() == "")
        #expect(await run.end() == (.exit, 74))
        #expect(await bench.run(["token"] + place).output == before)
        await bench.server.stop()
    }

    @Test func `the process can leave no core file`() async throws {
        let server = try await DevServer.start()
        let harness = try CommandHarness()
        _ = await harness.run("profile", "add", "m", "--issuer", server.issuer.url, "--client-id", "dev")
        let run = try Run(harness, ["login", "--no-browser"])
        #expect(await run.waitForMessage("/authorize?"))
        let limits = try String(contentsOfFile: "/proc/\(run.process.processIdentifier)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").filter { $0 == "0" }.count == 2)
        run.process.terminate()
        #expect(await run.end().reason == .uncaughtSignal)
        await server.stop()
    }
}
