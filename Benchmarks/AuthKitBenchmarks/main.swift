import AuthKitCore
import StoreSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// usage: AuthKitBenchmarks [--json]: measures the token call and the store, on this machine, now.
let credential = CredentialID(provider: ProviderKind("benchmark"), issuer: "none", client: "c", slot: "bench")
let key = EnvironmentKey(name: "benchmark") { _ in Base64URL.encode([UInt8](repeating: 7, count: 32)) }

let memory = try await Vault.open(InMemoryStore(), keySource: key)
let session = Session(credential, provider: FixedProvider(), vault: memory)
let path = "\(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/authkit-benchmark-\(getpid())"
let disk = try await Vault.open(SQLiteStore.open(path: path + "/store.db"), keySource: key)
let onDisk = Session(credential, provider: FixedProvider(), vault: disk)
_ = try await session.token()
_ = try await onDisk.token()

let report = Report(measurements: [
    try await Measurement.take("session.token.fresh", iterations: 20_000, note: "snapshot, one thread") {
        _ = try await session.token()
    },
    try await Measurement.take("vault.load.sqlite", iterations: 500, note: "read and open one sealed record") {
        _ = try await disk.load(credential)
    },
    try await Measurement.take("session.refresh.memory", iterations: 200, note: "lease, renew, seal, save in memory") {
        _ = try await session.token(for: TokenRequest(reason: .forced))
    },
    try await Measurement.take("session.refresh.sqlite", iterations: 20, note: "the same with a durable save") {
        _ = try await onDisk.token(for: TokenRequest(reason: .forced))
    },
])
print(CommandLine.arguments.contains("--json") ? report.json : report.table)
for name in ["store.db", "store.db-wal", "store.db-shm", "store.db.lock", "store.db.room"] {
    unsafe unlink("\(path)/\(name)")
}
unsafe rmdir(path)
