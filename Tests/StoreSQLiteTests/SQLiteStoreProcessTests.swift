import AuthKitCore
import Foundation
import Glibc
import StoreSQLite
import StoreTestSupport
import Testing

@Suite struct SQLiteStoreProcessTests {
    @Test(.timeLimit(.minutes(2)))
    func `a lease of another process is busy until that process dies`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            let child = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                    let store = try await SQLiteStore.open(path: path)
                    let lease = try await store.lease(.header, for: .refresh, waiting: .seconds(5))
                    try Data("\(getpid())".utf8).write(to: URL(fileURLWithPath: path + ".held"), options: .atomic)
                    try await Task.sleep(for: .seconds(100))
                    await lease.release()
                }
            }
            let process = try await Self.number(in: path + ".held")
            #expect(
                await code { _ = try await store.lease(.header, for: .refresh, waiting: .milliseconds(50)) } == .busy
            )
            let other = try await store.lease(.header, for: .signIn, waiting: .zero)
            await other.release()
            let waiter = Task { try await store.lease(.header, for: .refresh, waiting: .seconds(60)) }
            #expect(kill(pid_t(process), SIGKILL) == 0)
            let lease = try await waiter.value
            try await lease.confirm()
            await lease.release()
            await child.value
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: [3, 17])
    func `every save that returned before a kill is there afterwards`(_ last: Int64) async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            _ = await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, last = last as Int64] in
                let store = try await SQLiteStore.open(path: path)
                var before: RecordVersion?
                for revision in 1...Int64.max {
                    let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: revision), count: 20_000)
                    let record = try Sample.record(revision: revision, payload: payload)
                    try await store.save(record, replacing: before, under: nil)
                    before = record.version
                    try Data("\(revision)".utf8).write(to: URL(fileURLWithPath: path + ".saved"), options: .atomic)
                    // The kill comes from another thread, while saves go on.
                    if revision == last { Thread.detachNewThread { kill(getpid(), SIGKILL) } }
                }
            }
            let saved = try await Self.number(in: path + ".saved")
            let store = try await SQLiteStore.open(path: path)
            let record = try #require(try await store.load(try Sample.record(revision: 1).key))
            #expect(record.version.revision >= saved)
            #expect(saved >= last)
            let byte = UInt8(truncatingIfNeeded: record.version.revision)
            #expect(record.payload == [UInt8](repeating: byte, count: 20_000))
            try await store.probe()
        }
    }

    /// Waits for a file with a number in it.
    private static func number(in path: String) async throws -> Int64 {
        for _ in 0..<6000 {
            if let data = FileManager.default.contents(atPath: path) {
                return try #require(Int64(String(decoding: data, as: UTF8.self)))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CancellationError()
    }
}
