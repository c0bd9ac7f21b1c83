#if Postgres
import AuthKitCore
import Foundation
import Glibc
import PostgresTestServer
import StorePostgres

/// Measures refreshes claimed, done and saved per second, by one worker and by three, with an issuer that costs nothing.
struct RateRun {
    private let options: ProofOptions
    /// Whether a program reads what is said: workers, renewals a second, busy part, the workers' part of that.
    private let isPlain: Bool

    init(_ options: ProofOptions, isPlain: Bool = false) {
        self.options = options
        self.isPlain = isPlain
    }

    func run() async throws {
        var single = 0.0
        for count in [1, 3] {
            let server = try await PrivateServer.start(["shared_buffers=256MB"])
            let address = await server.address
            let key = try await SealedBatch.fill(address, with: options.credentials)
            let store = try await PostgresStore.open(address)
            var unlimited = options
            unlimited.rate = 1_000_000
            let cores = ProcessorTime()
            let start = ProofIssuer.now
            let workers = try (0..<count).map { number in
                try WorkerProcess(number, options: unlimited, address: address, key: key, issuer: 0)
            }
            // The records that are still due, asked by somebody who claims none of them for long.
            let soon = SystemTime().now.wall + .seconds(60)
            while try await !store.claimDue(before: soon, limit: 1, for: .milliseconds(1)).isEmpty {
                try await Task.sleep(for: .milliseconds(50))
            }
            let took = ProofIssuer.now - start
            let rate = Double(options.credentials) / took
            for worker in workers { worker.signal(SIGTERM) }
            for worker in workers { _ = try worker.end() }
            let shares = cores.shares(since: start)
            if count == 1 { single = rate }
            emit(
                isPlain
                    ? "\(count) \(rate) \(shares.busy) \(shares.workers)"
                    : String(
                        format:
                            "store.postgres.refresh, %d worker(s): %.0f a second (%.2f x one); machine %.0f %% busy, "
                            + "of which workers %.0f %% and the rest, PostgreSQL's for the most part, %.0f %%",
                        count,
                        rate,
                        rate / single,
                        shares.busy * 100,
                        shares.workers * 100,
                        (1 - shares.workers) * 100
                    )
            )
            await store.close()
            try await server.end()
        }
    }
}

/// How busy the processors were since it was made, and by whom.
struct ProcessorTime {
    private let total: (busy: Double, all: Double)
    private let children: Double

    init() {
        total = Self.read()
        children = Self.readChildren()
    }

    /// The busy part of the time, and the part of that which ended children had.
    func shares(since start: Double) -> (busy: Double, workers: Double) {
        let now = Self.read()
        let busy = now.busy - total.busy
        guard now.all > total.all, busy > 0 else { return (0, 0) }
        return (busy / (now.all - total.all), (Self.readChildren() - children) / busy)
    }

    /// Seconds, from the first line of /proc/stat (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal.
    private static func read() -> (busy: Double, all: Double) {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            let line = text.split(separator: "\n").first
        else { return (0, 0) }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard ticks.count == 8 else { return (0, 0) }
        let all = ticks.reduce(0, +) / 100
        return (all - (ticks[3] + ticks[4]) / 100, all)
    }

    private static func readChildren() -> Double {
        var usage = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
        let user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        return user + Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
    }
}
#endif
