import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// What `--timeout` means to each command, and who may be waited for at all.
@Suite struct TimeLimitTests {
    typealias Bench = SignInCommandTests.Bench

    /// An issuer that takes refreshes and never answers; its tokens live for so many seconds.
    static func stalled(lifetime: Int) async throws -> Bench {
        var options = DevIssuerOptions()
        options.accessTokenLifetime = .seconds(lifetime)
        options.faults = [try Fault(parsing: "refresh:stall*9")]
        let bench = try await Bench.start(options: options)
        #expect(await bench.login().exit == .done)
        return bench
    }

    @Test func `a token that still lives is printed when the issuer does not answer within the limit`() async throws {
        let bench = try await Self.stalled(lifetime: 50)
        let usual = await bench.run("token", "--timeout", "0.3")
        #expect(usual.exit == .done)
        #expect(!usual.output.isEmpty)
        #expect(usual.messages.contains("warning:"))
        // The renewal of that call goes on and holds the lease: the next ones wait for a lock, not for the issuer.
        let more = await bench.run("token", "--timeout", "0.3", "--min-ttl", "55", "--json")
        #expect(more.exit == .tryAgain)
        #expect(more.errorCode == "busy")
        let refresh = await bench.run("refresh", "--timeout", "0.3", "--json")
        #expect(refresh.exit == .tryAgain)
        #expect(refresh.errorCode == "busy")
        await bench.server.stop()
        let other = try await Self.stalled(lifetime: 50)
        let first = await other.run("refresh", "--timeout", "0.3", "--json")
        #expect(first.exit == .unavailable)
        #expect(first.errorCode == "caller_limit_passed")
        await other.server.stop()
    }

    @Test(arguments: ["0", "0.0", "0.0001", "-5", "31536001", "999999999999999", "", "soon", "1e3"])
    func `a limit that is no time, or more than a year, is refused`(_ limit: String) async throws {
        let harness = try CommandHarness()
        for words in [["token"], ["profile", "list"], ["dev-server"]] {
            let outcome = await harness.run(words + ["--timeout", limit, "--json"])
            #expect(outcome.exit == .usage)
            #expect(outcome.json?["error"]?["message"]?.string?.contains("--timeout") == true)
        }
    }

    @Test func `where nothing lives the limit is 69`() async throws {
        let bench = try await Self.stalled(lifetime: 0)
        let token = await bench.run("token", "--timeout", "0.3", "--json")
        #expect(token.exit == .unavailable)
        #expect(token.errorCode == "caller_limit_passed")
        // The session's own limit and the command's pass at one moment: whichever is first, a lock was waited for.
        for _ in 0..<4 {
            let userInfo = await bench.run("userinfo", "--timeout", "0.3", "--json")
            #expect(userInfo.exit == .tryAgain && userInfo.errorCode == "busy", "\(userInfo.output)")
        }
        await bench.server.stop()
    }

    @Test func `the token is out before the process waits for the answer that it still owes the store`() async throws {
        let bench = try await Self.stalled(lifetime: 50)
        let run = try ProcessTests.Run(bench.harness, ["token", "--timeout", "0.3"])
        #expect(await run.nextOutput().hasSuffix("\n"))
        #expect(run.process.isRunning)
        await bench.server.stop()
        #expect(await run.end() == (.exit, 0))
    }

    @Test(arguments: [["login"], ["token", "--login"]])
    func `a sign-in that nobody may be asked for ends at once and makes no store`(_ words: [String]) async throws {
        let bench = try await Bench.start()
        let outcome = await bench.run(words + ["--non-interactive", "--timeout", "5", "--json"])
        #expect(outcome.exit == .signInNeeded)
        #expect(outcome.errorCode == "interaction_needed")
        #expect(FileStatus(bench.harness.home + "/store.db") == nil)
        _ = await bench.login()
        _ = await bench.run("logout", "--local")
        let second = await bench.run(words + ["--non-interactive", "--timeout", "5", "--json"])
        #expect(second.errorCode == "interaction_needed")
        await bench.server.stop()
    }

    @Test func `a passphrase that nobody types ends a login at its limit, and status asks for none after it`()
        async throws
    {
        let bench = try await Bench.start()
        let terminal = try PseudoTerminal()
        let outcome = await Self.run(["login", "--key-source", "passphrase", "--timeout", "0.3"], bench, terminal)
        #expect(outcome.exit == .signInNeeded)
        #expect(outcome.errorCode == "timed_out")
        #expect(FileStatus(bench.harness.home + "/store.db") != nil)
        let status = await Self.run(["status", "--key-source", "passphrase", "--timeout", "5"], bench, terminal)
        #expect(status.exit == .done)
        #expect(status.json?["state"]?.string == "needs_sign_in")
        let memory = ["status", "--store", "memory:", "--key-source", "passphrase", "--timeout", "5"]
        #expect(await Self.run(memory, bench, terminal).json?["state"]?.string == "needs_sign_in")
        await bench.server.stop()
    }

    static func run(_ words: [String], _ bench: Bench, _ terminal: PseudoTerminal) async -> CommandHarness.Outcome {
        let sink = RecordingSink()
        var surroundings = bench.harness.surroundings(sink: sink)
        surroundings.terminal = terminal.path
        let exit = await CommandRunner().run(words + ["--json"], in: surroundings)
        return .init(exit: exit, output: sink.output, messages: sink.messages)
    }

    /// A terminal at which nobody sits.
    final class PseudoTerminal: Sendable {
        let path: String
        private let master: Int32

        init() throws {
            master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
            // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2).
            var (lock, number): (Int32, Int32) = (0, 0)
            guard unsafe ioctl(master, 0x4004_5431, &lock) == 0, unsafe ioctl(master, 0x8004_5430, &number) == 0 else {
                close(master)
                throw CommandFailure.inputOutput("There is no pseudo-terminal.")
            }
            path = "/dev/pts/\(number)"
        }

        deinit { close(master) }
    }
}
