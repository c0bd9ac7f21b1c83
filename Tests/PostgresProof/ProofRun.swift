#if Postgres
import AuthKitCore
import Foundation
import Glibc
import PostgresTestServer
import StorePostgres

/// The proof: three workers, of which one is killed and one stopped past its leases, and a server that goes away twice.
struct ProofRun {
    private let options: ProofOptions
    private let start = ProofIssuer.now

    init(_ options: ProofOptions) {
        self.options = options
    }

    /// Runs it; whether all promises held.
    func run() async throws -> Bool {
        // The disk is asked to keep what it is given only once the credentials are there.
        let server = try await PrivateServer.start(["synchronous_commit=on", "shared_buffers=256MB"])
        let address = await server.address
        say("sealing and storing \(options.credentials) credentials")
        // The tokens live from when they are sealed.
        let sealed = ProofIssuer.now
        let key = try await SealedBatch.fill(address, with: options.credentials)
        let issuer = try ProofIssuer(credentials: options.credentials, delay: options.delay)
        let began = ProofIssuer.now
        let workers = try (0..<3).map { number in
            try WorkerProcess(number, options: options, address: address, key: key, issuer: issuer.port)
        }
        say("three workers run")

        try await waitFor(issuer, share: 0.10)
        workers[0].signal(SIGKILL)
        let killed = ProofIssuer.now
        say("worker 0 was killed")
        _ = try workers[0].end()

        try await waitFor(issuer, share: 0.20)
        workers[1].signal(SIGSTOP)
        let stopped = ProofIssuer.now
        say("worker 1 was stopped, for \(options.stopped) s")
        try await Task.sleep(for: .seconds(options.stopped))
        workers[1].signal(SIGCONT)
        let resumed = ProofIssuer.now
        say("worker 1 goes on")

        try await waitFor(issuer, share: 0.60)
        for word in ["stop", "crash"] {
            try await server.obey(word)
            try await server.obey("start")
            say("PostgreSQL was restarted (\(word))")
            try await Task.sleep(for: .seconds(1))
        }
        try await waitFor(issuer, share: 1)
        let end = ProofIssuer.now
        say("every credential was renewed")
        // Whatever was in doubt is renewed at the issuer already; here its answers are saved as well.
        let store = try await PostgresStore.open(address)
        try await waitForRest(store)
        let stored = ProofIssuer.now
        var ends: [String] = []
        for worker in workers.dropFirst() {
            worker.signal(SIGTERM)
            ends.append("worker \(worker.number): \(try worker.end())")
        }
        for end in ends { say(end) }

        var verdict = ProofVerdict(issuer: issuer, options: options)
        verdict.judgeSends(killed: killed, stopped: stopped, resumed: resumed)
        verdict.judgeTime(stored - sealed, working: end - began)
        verdict.judgeLate(ends)
        verdict.judgeFencing(ends.first ?? "")
        try await verdict.judgeStore(store, key: key)
        await store.close()
        try await server.end()
        return verdict.report()
    }

    private func waitFor(_ issuer: ProofIssuer, share: Double) async throws {
        let goal = Int(Double(options.credentials) * (1 - share))
        let patience = 120 + Double(options.credentials) / 20
        while issuer.remaining > goal {
            guard ProofIssuer.now - start < patience else {
                throw ProofError("\(issuer.remaining) credentials were still not renewed after \(Int(patience)) s.")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until nothing is due any more: intents of the dead are taken up within seconds.
    private func waitForRest(_ store: PostgresStore) async throws {
        let soon = SystemTime().now.wall + .seconds(60)
        for _ in 0..<600 {
            let records = try await store.claimDue(before: soon, limit: 1, for: .milliseconds(1))
            if records.isEmpty { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw ProofError("Some credentials were still due a minute later.")
    }

    private func say(_ text: String) {
        let seconds = String(format: "%6.1f s", ProofIssuer.now - start)
        emit("\(seconds)  \(text)")
    }
}
#endif
