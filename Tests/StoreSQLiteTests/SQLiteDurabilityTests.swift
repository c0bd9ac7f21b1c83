import AuthKitCore
import StoreTestSupport
import Testing

@testable import StoreSQLite

@Suite struct SQLiteDurabilityTests {
    @Test func `the store's own connection syncs every commit to a write-ahead log`() async throws {
        try await withPlace { place in
            // The second opening finds a store that is there already.
            for _ in 0..<2 {
                let opener = SQLiteOpener(on: BlockingExecutor(label: "test.sqlite"))
                let connection = try await opener.open("\(place)/store.db", SQLiteStore.Options()).connection
                // 2 is FULL: a commit that was reported survives a loss of power (pragma.html#pragma_synchronous).
                #expect(try connection.integer("PRAGMA synchronous") == 2)
                #expect(try connection.text("PRAGMA journal_mode") == "wal")
            }
        }
    }
}
