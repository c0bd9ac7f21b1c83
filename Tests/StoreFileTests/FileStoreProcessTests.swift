import AuthKitCore
import Foundation
import StoreFile
import StoreTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite struct FileStoreProcessTests {
    /// `store-user`, which lies beside the tests.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("store-user")

    @Test(.timeLimit(.minutes(2)))
    func `a lease of another process is busy until that process dies`() async throws {
        try await withPlace { place in
            let path = "\(place)/store"
            let store = try await FileStore.open(path: path)
            let holder = Process()
            let (answer, input) = (Pipe(), Pipe())
            holder.executableURL = Self.program
            holder.arguments = ["hold", path]
            holder.standardInput = input
            holder.standardOutput = answer
            try holder.run()
            let told = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(returning: answer.fileHandleForReading.readData(ofLength: 5))
                }
            }
            #expect(told == Data("held\n".utf8))
            #expect(
                await code { _ = try await store.lease(.header, for: .refresh, waiting: .milliseconds(50)) } == .busy
            )
            let waiter = Task { try await store.lease(.header, for: .refresh, waiting: .seconds(60)) }
            #expect(kill(holder.processIdentifier, SIGKILL) == 0)
            let lease = try await waiter.value
            try await lease.confirm()
            await lease.release()
            withExtendedLifetime(input) {}
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: [3, 17])
    func `every save that returned before a kill is there afterwards`(_ last: Int64) async throws {
        try await withPlace { place in
            let path = "\(place)/store"
            _ = await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, last = last as Int64] in
                let store = try await FileStore.open(path: path)
                var before: RecordVersion?
                for revision in 1...Int64.max {
                    let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: revision), count: 20_000)
                    let reserve = revision.isMultiple(of: 2) ? 0 : 30_000
                    let record = try Sample.record(revision: revision, payload: payload, reserve: reserve)
                    try await store.save(record, replacing: before, under: nil)
                    before = record.version
                    try Data("\(revision)".utf8).write(to: URL(fileURLWithPath: path + ".saved"), options: .atomic)
                    // The kill comes from another thread, while saves go on.
                    if revision == last { Thread.detachNewThread { kill(getpid(), SIGKILL) } }
                }
            }
            let saved = try await number(in: path + ".saved")
            let store = try await FileStore.open(path: path)
            let record = try #require(try await store.load(try Sample.record(revision: 1).key))
            #expect(record.version.revision >= saved)
            #expect(saved >= last)
            let byte = UInt8(truncatingIfNeeded: record.version.revision)
            #expect(record.payload == [UInt8](repeating: byte, count: 20_000))
            #expect(try names(in: path).allSatisfy { !$0.hasSuffix(".new") })
            try await store.probe()
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `twenty-four processes that count in one record lose no count`() async throws {
        try await withPlace { place in
            let path = "\(place)/store"
            let store = try await FileStore.open(path: path)
            try await store.save(try Sample.record(revision: 1, payload: [0, 0]), replacing: nil, under: nil)
            let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<24 { group.addTask { try await Self.run("count", path, "10") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [Int32](repeating: 0, count: 24))
            let last = try #require(try await store.load(try Sample.record(revision: 1).key))
            #expect(last.version.revision == 241)
            #expect(last.payload == [0, 240])
            #expect(try names(in: path) == [String(repeating: "01", count: 32), "format", "lock"])
        }
    }

    /// Runs a program to its end without holding up a thread; its exit status.
    private static func run(_ arguments: String...) async throws -> Int32 {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}
