import AuthKitCore
import StoreSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The token call, the forced renewal, and the stores below them.
struct SessionCases {
    static let credential = CredentialID(
        provider: ProviderKind("benchmark"),
        issuer: "none",
        client: "c",
        slot: "bench"
    )

    let options: BenchmarkOptions
    private let folder: String
    let memory: Vault
    private let disk: Vault

    /// Opens a store in memory and one below `$TMPDIR` or `/tmp`.
    init(_ options: BenchmarkOptions) async throws {
        let key = EnvironmentKey(name: "benchmark") { _ in Base64URL.encode([UInt8](repeating: 7, count: 32)) }
        self.options = options
        folder = "\(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/authkit-benchmark-\(getpid())"
        memory = try await Vault.open(InMemoryStore(), keySource: key)
        disk = try await Vault.open(SQLiteStore.open(path: folder + "/store.db"), keySource: key)
    }

    /// Times tokens that are fresh and renewals.
    func runRefresh(into report: inout Report) async throws {
        let session = Session(Self.credential, provider: FixedProvider(), vault: memory)
        let onDisk = Session(Self.credential, provider: FixedProvider(), vault: disk)
        _ = try await session.token()
        _ = try await onDisk.token()
        try await readFresh(session, into: &report)
        try await runOnTwoThreads(session, into: &report)
        try await time("session.refresh.memory", 200, "lease, renew, seal, save in memory", &report) {
            _ = try await session.token(for: TokenRequest(reason: .forced))
        }
        try await time("session.refresh.sqlite", 20, "the same with a durable save", &report) {
            _ = try await onDisk.token(for: TokenRequest(reason: .forced))
        }
    }

    /// Times a token that is fresh, against the one thing that cannot be spared: looking at the clocks.
    private func readFresh(_ session: Session, into report: inout Report) async throws {
        guard options.wants("session.token.fresh") else { return }
        let time = SystemTime()
        let measured = try await Stopwatch.compare(
            "session.token.fresh",
            with: "one reading of both clocks",
            rounds: options.rounds,
            note: "snapshot, one thread"
        ) { count in
            for _ in 0..<count { _ = try await session.token() }
        } baseline: { count in
            var last: Int64 = 0
            for _ in 0..<count { last = max(last, time.reading.sinceBoot) }
            precondition(last > 0, "the boot clock runs")
        }
        report.add(measured)
    }

    /// Times the stores.
    func runStore(into report: inout Report) async throws {
        for (name, vault) in [("memory", memory), ("sqlite", disk)] {
            _ = try await Session(Self.credential, provider: FixedProvider(), vault: vault).token()
            try await time("vault.load.\(name)", 500, "read and open one sealed record", &report) {
                _ = try await vault.load(Self.credential)
            }
        }
    }

    /// Removes the store's files.
    func removeFiles() {
        for name in ["store.db", "store.db-wal", "store.db-shm", "store.db.lock", "store.db.room"] {
            unsafe unlink("\(folder)/\(name)")
        }
        unsafe rmdir(folder)
    }

    private func time(
        _ name: String,
        _ iterations: Int,
        _ note: String,
        _ report: inout Report,
        _ work: () async throws -> Void
    ) async throws {
        guard options.wants(name) else { return }
        let measured = try await Stopwatch.alone(name, rounds: 15, iterations: iterations, note: note) { count in
            for _ in 0..<count { try await work() }
        }
        report.add(measured)
    }
}
