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

        // Metadata and tokens are sealed apart, and each is opened by whoever needs it.
        for command in column == "metadata" ? ["status"] : ["token", "refresh"] {
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

    @Test(arguments: ["metadata", "payload"], [["work"], ["--all"]])
    func `signing out removes it and says so when nothing could be revoked`(
        _ column: String,
        _ target: [String]
    ) async throws {
        let bench = try await Bench.start()
        #expect(await bench.login("work").exit == .done)
        try tamper(bench.harness, column)
        let outcome = await bench.run(["logout", "--non-interactive"] + target)
        // Tokens that still open are revoked, whatever has become of the metadata.
        #expect(outcome.exit == (column == "payload" ? .unavailable : .done))
        #expect(outcome.messages.contains(column == "payload" ? "could not be read" : "Signed out of work."))
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
