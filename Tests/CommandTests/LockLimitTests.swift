import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// What `--timeout` means where others hold what is needed, and where nothing can be cancelled.
@Suite struct LockLimitTests {
    typealias Bench = SignInCommandTests.Bench

    /// Holds every lease of a store in a home until it is closed, as a process does that was stopped.
    private final class HeldLeases: Sendable {
        private let descriptor: Int32

        init(_ home: String) throws {
            descriptor = unsafe open(home + "/store.db.lock", O_RDWR | O_CLOEXEC)
            var whole = flock()
            whole.l_type = Int16(F_WRLCK)
            whole.l_whence = Int16(SEEK_SET)
            // F_OFD_SETLK, as in KernelLock; a length of zero is the whole file.
            try #require(unsafe fcntl(descriptor, 37, &whole) == 0)
        }

        deinit { close(descriptor) }
    }

    private func timed(_ bench: Bench, _ words: [String]) async -> (CommandHarness.Outcome, Duration) {
        let start = ContinuousClock.now
        let outcome = await bench.run(words + ["--timeout", "0.5", "--json"])
        return (outcome, ContinuousClock.now - start)
    }

    @Test func `a lease that is not had in time is 75, in every command`() async throws {
        let bench = try await Bench.start()
        #expect(await bench.login().exit == .done)
        let held = try HeldLeases(bench.harness.home)
        for words in [
            ["refresh"], ["token", "--min-ttl", "5000"], ["store", "rekey", "--data-key"],
            ["store", "rekey", "--to", "keyfile:new.key"], ["login", "--callback-url", "-"],
        ] {
            let (outcome, took) = await timed(bench, words)
            #expect(outcome.exit == .tryAgain, "\(words): \(outcome.output)")
            #expect(outcome.errorCode == "busy", "\(words)")
            #expect(took < .seconds(9), "\(words)")
        }
        withExtendedLifetime(held) {}
        await bench.server.stop()
    }

    @Test func `a configuration that another holds is 75 within the limit`() async throws {
        let bench = try await Bench.start()
        let lock = unsafe open(bench.harness.home + "/config.json.lock", O_RDWR | O_CLOEXEC)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        for words in [["profile", "set-default", "work"], ["store", "init"]] {
            let (outcome, took) = await timed(bench, words)
            #expect(outcome.exit == .tryAgain, "\(words)")
            #expect(outcome.errorCode == "busy", "\(words)")
            #expect(took < .seconds(9), "\(words)")
        }
        await bench.server.stop()
    }

    #if Postgres
    @Test func `a database server that says nothing is 69 within the limit`() async throws {
        let bench = try await Bench.start()
        let socket = try UnixSocket.listening(at: bench.harness.home + "/.s.PGSQL.5432")
        let store = ["--store", "postgres:///tokens?host=\(bench.harness.home)"]
        for words in [["store", "check"], ["logout", "--local"], ["refresh"]] {
            let (outcome, took) = await timed(bench, words + store)
            #expect(outcome.exit == .unavailable, "\(words): \(outcome.output)")
            #expect(took < .seconds(9), "\(words)")
        }
        withExtendedLifetime(socket) {}
        await bench.server.stop()
    }
    #endif

    @Test func `work that nothing can cancel is left behind`() async throws {
        let start = ContinuousClock.now
        let limit = TimeLimit(limit: .milliseconds(100), time: SystemTime())
        let waits = LockWaits()
        let failure = await #expect(throws: CommandFailure.self) {
            try await limit.run(orThrow: { waits.failure(limit: "0.1") }) {
                try await waits.during { await ProcessTests.blocking { sleep(5) } }
            }
        }
        #expect(failure?.exit == .tryAgain)
        #expect(failure?.message.contains("--timeout 0.1") == true)
        #expect(ContinuousClock.now - start < .seconds(3))
    }

    @Test func `what is done in time counts, and what fails in time says why`() async throws {
        let limit = TimeLimit(limit: .seconds(20), time: SystemTime())
        #expect(try await limit.run(orThrow: { .usage("late") }) { 7 } == 7)
        let failure = await #expect(throws: CommandFailure.self) {
            try await limit.run(orThrow: { .usage("late") }) { throw CommandFailure.configuration("mine") }
        }
        #expect(failure?.message == "mine")
    }

    @Test func `a limit is 69 where nobody holds anything`() {
        #expect(LockWaits().failure(limit: "2").exit == .unavailable)
        #expect(LockWaits().failure(limit: "2").code == "timed_out")
    }

    @Test func `a cancelled caller waits for the work to clean up`() async throws {
        let hasCleanedUp = Guarded(false)
        let limit = TimeLimit(limit: .seconds(20), time: SystemTime())
        let task = Task {
            try await limit.run(orThrow: { .usage("late") }) {
                defer { hasCleanedUp.withLock { $0 = true } }
                try await Task.sleep(for: .seconds(30))
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(hasCleanedUp.withLock { $0 })
    }
}
