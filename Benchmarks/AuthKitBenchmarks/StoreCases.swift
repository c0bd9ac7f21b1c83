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

/// One record read and saved, each against the same thing done bare; then many records.
struct StoreCases {
    let options: BenchmarkOptions

    /// Runs what was asked for, below `$TMPDIR` or `/tmp`; many records below `/dev/shm`, where syncs cost nothing.
    func run(into report: inout Report) async throws {
        let folder = Self.folder(in: unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")
        defer { Self.remove(folder) }
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchmarkError("\(folder) cannot be made.") }
        try await runSQLite(in: folder, &report)
        try await runFile(in: folder, &report)
        try await runMany(into: &report)
        try runPostgres(into: &report)
    }

    private func runSQLite(in folder: String, _ report: inout Report) async throws {
        let store = try await SQLiteStore.open(path: "\(folder)/store.db")
        let raw = try RawSQLite(path: "\(folder)/raw.db")
        let one = try await OneRecord(store)
        var revision: Int64 = 1
        try raw.save(one.sealed.key.bytes, revision: 1, metadata: one.sealed.metadata, payload: one.sealed.payload)
        try await pair("store.sqlite.read", "the same SELECT", calls: 20, "sealed record, unopened", &report) {
            _ = try await store.load(one.sealed.key)
        } baseline: {
            _ = try raw.load(one.sealed.key.bytes)
        }
        try await pair("store.sqlite.load", "the same SELECT", calls: 20, "read, opened, parsed", &report) {
            _ = try await one.vault.load(one.id)
        } baseline: {
            _ = try raw.load(one.sealed.key.bytes)
        }
        try await pair("store.sqlite.save", "the same durable upsert", calls: 1, "sealed, compared, durable", &report) {
            try await one.save()
        } baseline: {
            revision += 1
            try raw.save(
                one.sealed.key.bytes,
                revision: revision,
                metadata: one.sealed.metadata,
                payload: one.sealed.payload
            )
        }
    }

    private func runFile(in folder: String, _ report: inout Report) async throws {
        let store = try await FileStore.open(path: "\(folder)/store")
        let one = try await OneRecord(store)
        let raw = RawFile("raw", in: folder)
        let contents = one.sealed.metadata + one.sealed.payload + [UInt8](repeating: 0, count: 200)
        try raw.save(contents)
        try await pair("store.file.read", "open, read, close", calls: 20, "sealed record, unopened", &report) {
            _ = try await store.load(one.sealed.key)
        } baseline: {
            _ = try raw.load()
        }
        try await pair("store.file.load", "open, read, close", calls: 20, "read, opened, parsed", &report) {
            _ = try await one.vault.load(one.id)
        } baseline: {
            _ = try raw.load()
        }
        let what = "write, fsync, rename, fsync"
        try await pair("store.file.save", what, calls: 1, "sealed, locked, compared, durable", &report) {
            try await one.save()
        } baseline: {
            try raw.save(contents)
        }
    }

    private func pair(
        _ name: String,
        _ baselineName: String,
        calls: Int,
        _ note: String,
        _ report: inout Report,
        _ work: () async throws -> Void,
        baseline: () async throws -> Void
    ) async throws {
        guard options.wants(name) else { return }
        let measured = try await Stopwatch.pair(
            name,
            with: baselineName,
            rounds: options.rounds * 4,
            calls: calls,
            note: note
        ) { count in
            for _ in 0..<count { try await work() }
        } baseline: { count in
            for _ in 0..<count { try await baseline() }
        }
        report.add(measured)
    }

    static func folder(in place: String) -> String { "\(place)/authkit-stores-\(getpid())" }

    /// Removes a folder and the files in it and in its folders.
    static func remove(_ folder: String) {
        guard let stream = unsafe opendir(folder) else { return }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append("\(folder)/\(name)") }
        }
        unsafe closedir(stream)
        for path in names where unsafe unlink(path) != 0 { remove(path) }
        unsafe rmdir(folder)
    }
}
