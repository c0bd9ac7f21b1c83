import AuthKitCore
import StoreFile
import StoreSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension StoreCases {
    private static let counts = [1000, 10_000, 100_000]

    /// Lists, opens, claims and seals anew a thousand records, ten thousand, and a hundred thousand, in each store on disk.
    func runMany(into report: inout Report) async throws {
        for kind in ["sqlite", "file"] {
            let cases = ["list", "open", "claim", "rekey"]
            guard cases.contains(where: { options.wants("store.\(kind).\($0)") }) else { continue }
            var before: [String: Double] = [:]
            for count in Self.counts {
                let folder = Self.folder(in: "/dev/shm")
                defer { Self.remove(folder) }
                guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchmarkError("\(folder) cannot be made.") }
                let store: any DueTokenStore =
                    kind == "sqlite"
                    ? try await SQLiteStore.open(path: "\(folder)/store.db")
                    : try await FileStore.open(path: "\(folder)/store")
                let vault = try await OneRecord.vault(store)
                let ids = try await fill(vault, count)
                try await many("store.\(kind).list", count, &before, &report) {
                    let listing = try await vault.listing()
                    guard listing.summaries.count == count else { throw BenchmarkError("The list is not whole.") }
                }
                try await many("store.\(kind).open", count, &before, &report) {
                    for id in ids {
                        guard try await vault.load(id) != nil else { throw BenchmarkError("A record is not there.") }
                    }
                }
                try await many("store.\(kind).claim", count, &before, &report) {
                    let claimed = try await store.claimDue(before: nil, limit: 100, for: .zero)
                    guard claimed.count == 100 else { throw BenchmarkError("A claim is not whole.") }
                }
                // A minute for each round of a hundred thousand.
                try await many("store.\(kind).rekey", rounds: count > 10_000 ? 1 : 3, count, &before, &report) {
                    let changed = try await vault.rekeyData()
                    guard changed.isComplete, changed.moved == count else {
                        throw BenchmarkError("Not every record was sealed anew.")
                    }
                }
            }
        }
    }

    private func fill(_ vault: Vault, _ count: Int) async throws -> [CredentialID] {
        var ids: [CredentialID] = []
        for number in 0..<count {
            let id = CredentialID(
                provider: ProviderKind("benchmark"),
                issuer: "https://issuer",
                client: "c",
                slot: "user-\(number)"
            )
            try await vault.save(try OneRecord.credential(id), replacing: nil, due: WallTime(seconds: Int64(number)))
            ids.append(id)
        }
        return ids
    }

    private func many(
        _ name: String,
        rounds: Int = 5,
        _ count: Int,
        _ before: inout [String: Double],
        _ report: inout Report,
        _ work: () async throws -> Void
    ) async throws {
        guard options.wants(name) else { return }
        let note = "\(count) records in memory-backed files"
        var measured = try await Stopwatch.alone("\(name).\(count)", rounds: rounds, iterations: 1, note: note) { _ in
            try await work()
        }
        measured.add(note: "\(Int(measured.median / Double(count))) ns a record")
        if let smaller = before[name] {
            let growth = (measured.median / smaller * 10).rounded() / 10
            measured.add(note: "\(growth) times the tenth part's")
        }
        before[name] = measured.median
        report.add(measured)
    }
}
