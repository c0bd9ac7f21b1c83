import AuthKitCore
import StoreFile
import StoreTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Another process that uses a file store, small enough to be started by the dozen.
///
///     store-user count DIRECTORY TIMES    adds one to the count in a record, so many times, beside others that do
///     store-user hold DIRECTORY           holds the header's lease for refreshes, tells so on stdout, and stays
@main
struct StoreUser {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count >= 2, let command = words.first else {
            throw StoreError(.cannotCreate, "Say 'count' or 'hold', and the directory of a store.")
        }
        let store = try await FileStore.open(path: words[2])
        if command == "hold" { return try await hold(store) }
        try await count(store, times: words.last.flatMap { Int($0) } ?? 1)
    }

    private static func hold(_ store: FileStore) async throws {
        let lease = try await store.lease(.header, for: .refresh, waiting: .seconds(5))
        print("held")
        _ = fflush(nil)  // What cannot be told is noticed by whoever waits for it.
        _ = readLine()  // Stays until whoever started it lets go, or dies.
        await lease.release()
    }

    private static func count(_ store: FileStore, times: Int) async throws {
        let key = try Sample.record(revision: 1).key
        var done = 0
        while done < times {
            guard let found = try await store.load(key) else { throw StoreError(.corrupt, "There is no record.") }
            let count = Int(found.payload[0]) << 8 + Int(found.payload[1]) + 1
            let next = try Sample.record(
                revision: found.version.revision + 1,
                payload: [UInt8(count >> 8), UInt8(count & 255)],
                // Now and then with room, which is written into the next time.
                reserve: count < 240 && count.isMultiple(of: 3) ? 5000 : 0
            )
            do {
                try await store.save(next, replacing: found.version, under: nil)
                done += 1
            } catch let error as StoreError where error.code == .conflict || error.code == .busy {
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...10)))
            }
        }
    }
}
