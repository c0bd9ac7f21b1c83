import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// A store that something else has written to.
@Suite struct TamperedRecordTests {
    typealias Bench = SignInCommandTests.Bench

    /// Changes one byte in a column of every record but the header, with SQLite itself.
    private func tamper(_ harness: CommandHarness, _ column: String) throws {
        let database = try Database(harness.home + "/store.db")
        // The header has the reserved key of zeros.
        let changed = "substr(\(column), 1, 80) || X'00FF00FF' || substr(\(column), 85)"
        try database.execute("UPDATE records SET \(column) = CAST(\(changed) AS BLOB) WHERE key != zeroblob(32)")
    }

    @Test(arguments: ["metadata", "payload"])
    func `one profile's record is refused by name, the others stay usable`(_ column: String) async throws {
        let bench = try await Bench.start()
        let add = ["profile", "add", "other", "--issuer", bench.server.issuer.url, "--client-id", "dev"]
        #expect(await bench.run(add).exit == .done)
        #expect(await bench.login("work").exit == .done)
        try tamper(bench.harness, column)
        #expect(await bench.login("other").exit == .done)

        // Metadata is opened alone; whoever opens the tokens has checked the metadata too.
        for command in column == "metadata" ? ["status", "token", "refresh"] : ["token", "refresh"] {
            let outcome = await bench.run(command, "work", "--json")
            #expect(outcome.exit == .badData, "\(command)")
            #expect(outcome.errorCode == "tampered", "\(command)")
            #expect(outcome.json?["error"]?["remedy"]?.string == "sign_in_again", "\(command)")
            #expect(outcome.json?["error"]?["message"]?.string?.contains("work") == true, "\(command)")
        }
        if column == "metadata" {
            let list = await bench.run("list", "--json")
            #expect(list.exit == .badData)
            #expect(list.json?.array?.compactMap { $0["profile"]?.string } == ["other"])
            #expect(list.messages.contains("authkit login work"))
        }
        #expect(await bench.run("doctor").output.contains("authkit login work"))
        #expect(await bench.run("token", "other").exit == .done)
        #expect(await bench.run("status", "other").exit == .done)
        // What it says to do helps.
        #expect(await bench.login("work").exit == .done)
        #expect(await bench.run("token", "work").exit == .done)
        #expect(await bench.run("list").exit == .done)
        await bench.server.stop()
    }

    @Test(arguments: ["metadata", "payload"])
    func `a change of the data key tells it, and a purge removes it`(_ column: String) async throws {
        let bench = try await Bench.start()
        #expect(await bench.login("work").exit == .done)
        try tamper(bench.harness, column)
        let rekeyed = await bench.run("store", "rekey", "--data-key", "--json")
        #expect(rekeyed.exit == .badData)
        #expect(rekeyed.json?["damaged"]?.int64 == 1)
        let purged = await bench.run("store", "check", "--purge-damaged", "--json")
        #expect(purged.exit == .done)
        #expect(purged.json?["removed"]?.array?.count == 1)
        #expect(await bench.run("list").exit == .done)
        #expect(await bench.run("token", "work", "--json").exit == .signInNeeded)
        await bench.server.stop()
    }

    @Test func `a row that is too large is one damaged record`() async throws {
        let bench = try await Bench.start()
        let add = ["profile", "add", "other", "--issuer", bench.server.issuer.url, "--client-id", "dev"]
        #expect(await bench.run(add).exit == .done)
        #expect(await bench.login("work").exit == .done)
        try Database(bench.harness.home + "/store.db")
            .execute("UPDATE records SET payload = zeroblob(100000000) WHERE key != zeroblob(32)")
        #expect(await bench.login("other").exit == .done)
        for command in ["token", "status"] {
            let outcome = await bench.run(command, "work", "--json")
            #expect(outcome.exit == .badData, "\(command)")
            #expect(outcome.errorCode == "tampered", "\(command)")
        }
        let check = await bench.run("store", "check")
        #expect(check.exit == .badData)
        #expect(check.messages.contains("record of work was changed"))
        #expect(await bench.run("token", "other").exit == .done)
        #expect(await bench.login("work").exit == .done)
        #expect(await bench.run("store", "check").exit == .done)
        await bench.server.stop()
    }

    @Test(arguments: ["metadata", "payload"], [["work"], ["--all"]])
    func `signing out removes it and says so when nothing could be revoked`(
        _ column: String,
        _ target: [String]
    ) async throws {
        let bench = try await Bench.start()
        #expect(await bench.login("work").exit == .done)
        try tamper(bench.harness, column)
        let outcome = await bench.run(["logout", "--non-interactive"] + target)
        #expect(outcome.exit == .unavailable)
        #expect(outcome.messages.contains("could not be read"))
        #expect(!outcome.messages.contains("Nobody was signed in"))
        #expect(await bench.run("list").exit == .done)
        #expect(await bench.run("logout", "work", "--non-interactive").exit == .done)
        await bench.server.stop()
    }
}

/// SQLite as another program would use it; the library is in this process already.
@safe private final class Database {
    private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    private typealias Execute =
        @convention(c) (OpaquePointer, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    private typealias Close = @convention(c) (OpaquePointer) -> Int32

    private let handle: OpaquePointer

    init(_ path: String) throws {
        let open = unsafe unsafeBitCast(try Self.symbol("sqlite3_open"), to: Open.self)
        var handle: OpaquePointer?
        try #require(unsafe open(path, &handle) == 0)
        unsafe self.handle = unsafe try #require(handle)
        try execute("PRAGMA busy_timeout = 5000")
    }

    deinit {
        guard let symbol = unsafe dlsym(nil, "sqlite3_close") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Close.self)(handle)
    }

    func execute(_ statement: String) throws {
        let execute = unsafe unsafeBitCast(try Self.symbol("sqlite3_exec"), to: Execute.self)
        try #require(unsafe execute(handle, statement, nil, nil, nil) == 0)
    }

    private static func symbol(_ name: String) throws -> UnsafeMutableRawPointer {
        unsafe try #require(dlsym(nil, name))
    }
}
