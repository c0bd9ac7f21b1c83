import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// A store of files, one of which was cut or overwritten.
@Suite struct DamagedFileTests {
    typealias Bench = SignInCommandTests.Bench

    enum Damage: CaseIterable {
        case cut, newerFormat
    }

    /// The files of the records but the header's.
    private func records(_ bench: Bench) -> [String] {
        Directory.names(in: bench.harness.home + "/tokens").filter { name in
            name.utf8.count == 64 && name.contains { $0 != "0" }
        }
    }

    /// A bench with two profiles signed in, the record of the first one damaged, and that one's file.
    private func damaged(_ damage: Damage) async throws -> (Bench, name: String) {
        let bench = try await Bench.start(variables: ["AUTHKIT_STORE": "file:tokens"])
        let add = ["profile", "add", "other", "--issuer", bench.server.issuer.url, "--client-id", "dev"]
        #expect(await bench.run(add).exit == .done)
        #expect(await bench.login("work").exit == .done)
        let name = try #require(records(bench).first)
        #expect(await bench.login("other").exit == .done)
        var bytes = try bench.harness.bytes(of: "tokens/" + name)
        switch damage {
        case .cut: bytes.removeLast(bytes.count - 10)
        case .newerFormat: bytes[4] ^= 1
        }
        try bench.harness.write(bytes: bytes, to: "tokens/" + name)
        return (bench, name)
    }

    @Test(arguments: Damage.allCases)
    func `it is named, the others stay usable, and signing in again replaces it`(_ damage: Damage) async throws {
        let (bench, _) = try await damaged(damage)
        #expect(await bench.run("token", "other").exit == .done)
        let list = await bench.run("list", "--json")
        #expect(list.exit == .badData)
        #expect(list.json?.array?.compactMap { $0["profile"]?.string } == ["other"])
        #expect(list.messages.contains("authkit login work"))
        for words in [["token", "work"], ["status", "work"]] {
            let outcome = await bench.run(words + ["--json"])
            #expect(outcome.exit == .badData, "\(words)")
            #expect(outcome.errorCode == "tampered", "\(words)")
            #expect(outcome.json?["error"]?["remedy"]?.string == "sign_in_again", "\(words)")
        }
        let check = await bench.run("store", "check", "--json")
        #expect(check.exit == .badData)
        #expect(check.json?["intact"]?.int64 == 1)
        #expect(check.messages.contains("record of work was changed"))
        #expect(await bench.run("doctor").output.contains("authkit login work"))
        // What it says to do helps.
        #expect(await bench.login("work").exit == .done)
        #expect(await bench.run("token", "work").exit == .done)
        #expect(await bench.run("refresh", "work").exit == .done)
        #expect(await bench.run("store", "check").exit == .done)
        await bench.server.stop()
    }

    @Test(arguments: Damage.allCases)
    func `signing out of everything removes the others' tokens and it`(_ damage: Damage) async throws {
        let (bench, _) = try await damaged(damage)
        let outcome = await bench.run("logout", "--all", "--non-interactive")
        #expect(outcome.exit == .unavailable)
        #expect(outcome.messages.contains("Removed what was stored for work, which could not be read."))
        #expect(outcome.messages.contains("Signed out of other."))
        let list = await bench.run("list", "--json")
        #expect(list.exit == .done)
        #expect(list.json?.array?.compactMap { $0["state"]?.string } == ["signed_out", "signed_out"])
        await bench.server.stop()
    }

    @Test(arguments: Damage.allCases)
    func `one of no profile holds up a new data key until it is removed`(_ damage: Damage) async throws {
        let (bench, name) = try await damaged(damage)
        try removeProfile("work", of: bench)
        let rekeyed = await bench.run("store", "rekey", "--data-key", "--json")
        #expect(rekeyed.exit == .badData)
        #expect(rekeyed.json?["records"]?.int64 == 1)
        #expect(rekeyed.json?["damaged"]?.int64 == 1)
        #expect(rekeyed.messages.contains("Of no profile here, 1 record was"))
        #expect(rekeyed.messages.contains("run: authkit store check --purge-damaged"))
        #expect(rekeyed.messages.contains("then run `authkit store rekey --data-key` again"))
        let purged = await bench.run("store", "check", "--purge-damaged", "--json")
        #expect(purged.exit == .done)
        #expect(purged.json?["removed"]?.array?.count == 1)
        #expect(purged.json?["intact"]?.int64 == 1)
        #expect(purged.messages.contains(name.prefix(16)))
        let again = await bench.run("store", "rekey", "--data-key", "--json")
        #expect(again.exit == .done)
        #expect(again.json?["damaged"]?.int64 == 0)
        #expect(await bench.run("token", "other").exit == .done)
        await bench.server.stop()
    }

    @Test func `of a profile's it is named when it is removed, and what opens stays`() async throws {
        let (bench, _) = try await damaged(.cut)
        let purged = await bench.run("store", "check", "--purge-damaged")
        #expect(purged.exit == .done)
        #expect(purged.messages.contains("The stored record of work, which could not be opened, is removed"))
        #expect(purged.messages.contains("authkit login work"))
        #expect(await bench.run("token", "work").exit == .signInNeeded)
        #expect(await bench.run("token", "other").exit == .done)
        let fine = await bench.run("store", "check", "--purge-damaged", "--json")
        #expect(fine.exit == .done)
        #expect(fine.json?["removed"]?.array?.isEmpty == true)
        await bench.server.stop()
    }

    @Test func `a record is removed whichever of its parts does not open`() async throws {
        let bench = try await Bench.start(variables: ["AUTHKIT_STORE": "file:tokens"])
        #expect(await bench.login().exit == .done)
        let name = "tokens/" + (try #require(records(bench).first))
        let sound = try bench.harness.bytes(of: name)
        var bytes = sound
        // The metadata follows key, incarnation, revision, key id, issuer hash and due time, each behind its length.
        bytes[6 + 36 + 20 + 12 + 20 + 36 + 20 + 4 + 60] ^= 1
        try bench.harness.write(bytes: bytes, to: name)
        #expect(await bench.run("token").exit == .badData)
        #expect(await bench.run("store", "check", "--purge-damaged").exit == .done)
        #expect(records(bench).isEmpty)
        bytes = sound
        bytes[bytes.count - 1] ^= 1
        try bench.harness.write(bytes: bytes, to: name)
        #expect(await bench.run("token").exit == .badData)
        let purged = await bench.run("store", "check", "--purge-damaged")
        #expect(purged.exit == .done)
        #expect(purged.messages.contains("The stored record of work, which could not be opened, is removed"))
        #expect(records(bench).isEmpty)
        await bench.server.stop()
    }

    @Test(arguments: ["link", "pipe", "folder", "loose"])
    func `what is no file in its place is told like it, and what is said helps`(_ kind: String) async throws {
        let (bench, name) = try await damaged(.cut)
        let path = bench.harness.home + "/tokens/" + name
        let put = {
            try FileManager.default.removeItem(atPath: path)
            switch kind {
            case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
            case "pipe": try #require(unsafe mkfifo(path, 0o600) == 0)
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            default:
                try bench.harness.write(bytes: [1], to: "tokens/" + name)
                try #require(unsafe chmod(path, 0o644) == 0)
            }
        }
        try put()
        #expect(await bench.run("token", "other").exit == .done)
        let list = await bench.run("list", "--json")
        #expect(list.exit == .badData)
        #expect(list.messages.contains("authkit login work"))
        #expect(await bench.run("token", "work", "--json").errorCode == "tampered")
        #expect(await bench.login("work").exit == .done)
        #expect(await bench.run("token", "work").exit == .done)
        try put()
        #expect(await bench.run("logout", "work", "--local").exit == .done)
        try put()
        let purged = await bench.run("store", "check", "--purge-damaged", "--json")
        #expect(purged.exit == .done)
        #expect(purged.json?["removed"]?.array?.count == 1)
        await bench.server.stop()
    }

    @Test func `a directory with files in its place is told and left, and the rest is purged`() async throws {
        let (bench, name) = try await damaged(.cut)
        let path = bench.harness.home + "/tokens/" + name
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/notes", withIntermediateDirectories: true)
        let purged = await bench.run("store", "check", "--purge-damaged")
        #expect(purged.exit == .badData)
        #expect(purged.messages.contains("move it away"))
        #expect(FileStatus(path + "/notes") != nil)
        #expect(await bench.run("token", "other").exit == .done)
        await bench.server.stop()
    }

    @Test func `the header of another store is told as such, and nothing is purged by it`() async throws {
        let bench = try await Bench.start(variables: ["AUTHKIT_STORE": "file:tokens"])
        #expect(await bench.login("work").exit == .done)
        #expect(await bench.login("work", "--store", "file:others").exit == .done)
        let header = String(repeating: "0", count: 64)
        let own = try bench.harness.bytes(of: "tokens/" + header)
        try bench.harness.write(bytes: try bench.harness.bytes(of: "others/" + header), to: "tokens/" + header)
        let before = records(bench)
        for words in [
            ["token"], ["status"], ["list"], ["store", "check"], ["store", "check", "--purge-damaged"],
            ["store", "rekey", "--data-key"], ["logout", "--all", "--local"],
        ] {
            let outcome = await bench.run(words + ["--json"])
            #expect(outcome.exit == .badData, "\(words)")
            #expect(outcome.errorCode == "other_header", "\(words)")
            #expect(!outcome.messages.contains("--purge-damaged"), "\(words)")
            #expect(outcome.json?["error"]?["message"]?.string?.contains("put the right header back") == true)
        }
        #expect(await bench.login("work").exit == .badData)
        #expect(records(bench) == before)
        try bench.harness.write(bytes: own, to: "tokens/" + header)
        #expect(await bench.run("token").exit == .done)
        #expect(await bench.run("store", "check").exit == .done)
        await bench.server.stop()
    }

    /// Takes a profile out of the configuration and leaves the store alone.
    private func removeProfile(_ name: String, of bench: Bench) throws {
        var configuration = try Configuration(parsing: bench.harness.bytes(of: "config.json"), from: "config.json")
        configuration.profiles[name] = nil
        configuration.defaultProfile = "other"
        try bench.harness.write(bytes: configuration.serialized, to: "config.json")
    }
}
