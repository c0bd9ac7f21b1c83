import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// The commands about the store as a whole.
@Suite struct StoreCommandTests {
    typealias Bench = SignInCommandTests.Bench

    private func signedIn(_ more: String...) async throws -> (Bench, String) {
        let bench = try await Bench.start()
        #expect(await bench.login(more).exit == .done)
        let token = await bench.run(["token"] + more)
        #expect(token.exit == .done)
        return (bench, token.output)
    }

    @Test func `init makes a store with the key source that is named, and writes it down`() async throws {
        let bench = try await Bench.start()
        let key = bench.harness.home + "/elsewhere.key"
        let made = await bench.run("store", "init", "--key-source", "keyfile:elsewhere.key", "--json")
        #expect(made.exit == .done)
        #expect(made.json?["key_source"]?.string == "keyfile:\(key)")
        #expect(FileStatus(key) != nil)
        #expect(await bench.login().exit == .done)
        #expect(FileStatus(bench.harness.home + "/store.key") == nil)
        let again = await bench.run("store", "init", "--json")
        #expect(again.exit == .configuration)
        #expect(again.errorCode == "store_exists")
        await bench.server.stop()
    }

    @Test func `check opens every record and names the one that was changed`() async throws {
        let (bench, _) = try await signedIn("--store", "file:tokens")
        let fine = await bench.run("store", "check", "--store", "file:tokens", "--json")
        #expect(fine.exit == .done)
        #expect(fine.json?["intact"]?.int64 == 1)
        let header = String(repeating: "0", count: 64)
        let names = Directory.names(in: bench.harness.home + "/tokens")
        let name = try #require(names.first { $0.utf8.count == 64 && $0 != header })
        var bytes = try bench.harness.bytes(of: "tokens/" + name)
        bytes[bytes.count - 1] ^= 1
        try bench.harness.write(bytes: bytes, to: "tokens/" + name)
        let changed = await bench.run("store", "check", "--store", "file:tokens")
        #expect(changed.exit == .badData)
        #expect(changed.messages.contains("record of work was changed"))
        await bench.server.stop()
    }

    @Test func `without a store the commands say so, and make none`() async throws {
        let bench = try await Bench.start()
        for words in [["check"], ["rekey"], ["export", "out"], ["migrate", "--to", "file:other"]] {
            let outcome = await bench.run(["store"] + words + ["--json"])
            #expect(outcome.exit == .negative, "\(words)")
            #expect(outcome.errorCode == "no_store", "\(words)")
        }
        #expect(FileStatus(bench.harness.home + "/store.db") == nil)
        #expect(FileStatus(bench.harness.home + "/other") == nil)
        await bench.server.stop()
    }

    @Test func `rekey to another source leaves the old one without effect`() async throws {
        let (bench, token) = try await signedIn()
        let rekeyed = await bench.run("store", "rekey", "--to", "keyfile:new.key", "--json")
        #expect(rekeyed.exit == .done)
        #expect(await bench.run("token").output == token)
        let old = await bench.run("token", "--json", "--key-source", "keyfile:store.key")
        #expect(old.exit == .configuration)
        #expect(old.errorCode == "wrong_key")
        await bench.server.stop()
    }

    @Test func `rekey that was cut short before the configuration was written is finished by the same line`()
        async throws
    {
        let (bench, token) = try await signedIn()
        let before = try bench.harness.bytes(of: "config.json")
        for source in ["keyfile:new.key", "env:STORE_KEY"] {
            var variables = bench.harness.variables
            variables["STORE_KEY"] = String(repeating: "A", count: 43)
            let words = ["store", "rekey", "--to", source, "--json"]
            let settled = try bench.harness.bytes(of: "config.json")
            #expect(await bench.run(words, variables: variables).exit == .done)
            // As a kill behind the header's write leaves it.
            try bench.harness.write(bytes: settled, to: "config.json")
            #expect(await bench.run(["token"], variables: variables).exit == .configuration)
            let again = await bench.run(words, variables: variables)
            #expect(again.exit == .done)
            #expect(again.json?["key_source"]?.string?.hasPrefix(source.prefix(4)) == true)
            #expect(again.messages.contains("wrapped for it already"))
            #expect(await bench.run(["token"], variables: variables).output == token)
        }
        // Where the new source does not open it either, the one in use is told.
        try bench.harness.write(bytes: before, to: "config.json")
        let wrong = await bench.run("store", "rekey", "--to", "keyfile:new.key", "--json")
        #expect(wrong.exit == .configuration)
        #expect(wrong.errorCode == "other_key_source")
        await bench.server.stop()
    }

    @Test func `a passphrase file means the same wherever it is read`() async throws {
        let (bench, token) = try await signedIn()
        try bench.harness.write("correct horse\r\n", to: "words")
        try bench.harness.write("correct horse", to: "plain")
        try bench.harness.write("\n", to: "empty")
        #expect(await bench.run("store", "export", "out", "--passphrase-file", "words").exit == .done)
        let other = ["--store", "file:copy"]
        #expect(await bench.run(["store", "import", "out", "--passphrase-file", "plain"] + other).exit == .done)
        #expect(await bench.run(["token"] + other).output == token)
        for (file, word) in [("empty", "empty"), ("none", "--passphrase-file")] {
            let outcome = await bench.run("store", "export", "more", "--passphrase-file", file, "--json")
            #expect(outcome.exit == .configuration)
            #expect(outcome.errorCode == "key_unavailable")
            #expect(outcome.json?["error"]?["message"]?.string?.contains(word) == true)
        }
        await bench.server.stop()
    }

    @Test func `rekey of the data key seals every record anew`() async throws {
        let (bench, token) = try await signedIn()
        let rekeyed = await bench.run("store", "rekey", "--data-key", "--json")
        #expect(rekeyed.exit == .done)
        #expect(rekeyed.json?["records"]?.int64 == 1)
        #expect(rekeyed.json?["damaged"]?.int64 == 0)
        #expect(await bench.run("token").output == token)
        #expect(await bench.run("refresh").exit == .done)
        await bench.server.stop()
    }

    @Test func `what is exported can be imported elsewhere with the passphrase and without it not`() async throws {
        let (bench, token) = try await signedIn()
        try bench.harness.write("correct horse\n", to: "words")
        try bench.harness.write("wrong horse\n", to: "others")
        let exported = await bench.run("store", "export", "out", "--passphrase-file", "words", "--json")
        #expect(exported.exit == .done)
        #expect(exported.json?["records"]?.int64 == 1)
        #expect(FileStatus(bench.harness.home + "/out")?.mode == 0o600)
        let over = await bench.run("store", "export", "out", "--passphrase-file", "words")
        #expect(over.exit != .done)

        let other = ["--store", "file:copy"]
        let wrong = await bench.run(["store", "import", "out", "--passphrase-file", "others", "--json"] + other)
        #expect(wrong.exit == .configuration)
        #expect(wrong.errorCode == "wrong_key")
        let imported = await bench.run(["store", "import", "out", "--passphrase-file", "words", "--json"] + other)
        #expect(imported.exit == .done)
        #expect(imported.json?["added"]?.int64 == 1)
        #expect(await bench.run(["token"] + other).output == token)
        let again = await bench.run(["store", "import", "out", "--passphrase-file", "words", "--json"] + other)
        #expect(again.json?["kept"]?.int64 == 1)
        let replacing = ["store", "import", "out", "--passphrase-file", "words", "--replace", "--json"] + other
        #expect(await bench.run(replacing).exit == .done)
        await bench.server.stop()
    }

    @Test func `an import of what is no file is 74, of a file that is no export 65`() async throws {
        let harness = try CommandHarness()
        try harness.write("correct horse\n", to: "words")
        try harness.write("no export", to: "text")
        try #require(unsafe mkfifo(harness.home + "/pipe", 0o600) == 0)
        for (path, exit) in [
            (".", ExitCode.inputOutput), ("pipe", .inputOutput), ("/dev/zero", .inputOutput), ("none", .inputOutput),
            ("text", .badData),
        ] {
            let outcome = await harness.run("store", "import", path, "--passphrase-file", "words", "--json")
            #expect(outcome.exit == exit, "\(path): \(outcome.output)")
        }
    }

    @Test func `a store file that has lost its contents is 65, and made anew when that is asked for`() async throws {
        let bench = try await Bench.start()
        try bench.harness.write("", to: "store.db")
        for words in [["status"], ["token"], ["list"], ["store", "check"]] {
            let outcome = await bench.run(words + ["--json"])
            #expect(outcome.exit == .badData, "\(words)")
            #expect(outcome.errorCode == "corrupt", "\(words)")
            #expect(outcome.json?["error"]?["message"]?.string?.contains("is empty") == true, "\(words)")
        }
        #expect(await bench.run("store", "init").exit == .done)
        #expect(await bench.run("status").exit == .done)
        await bench.server.stop()
    }

    @Test func `one record is counted as one`() async throws {
        let (bench, _) = try await signedIn()
        let checked = await bench.run("store", "check")
        #expect(checked.messages.contains("1 record, all in order"))
        #expect(CountedRecords(1).description == "1 record is")
        #expect(CountedRecords(2, past: true).description == "2 records were")
        await bench.server.stop()
    }

    @Test func `nothing of an export is readable`() async throws {
        let (bench, token) = try await signedIn()
        try bench.harness.write("correct horse\n", to: "words")
        #expect(await bench.run("store", "export", "out", "--passphrase-file", "words").exit == .done)
        let bytes = try bench.harness.bytes(of: "out")
        let secret = Array(token.utf8.dropLast())
        #expect(!bytes.isEmpty)
        #expect(!String(decoding: bytes, as: UTF8.self).contains(String(decoding: secret, as: UTF8.self)))
        await bench.server.stop()
    }

    @Test(arguments: [("sqlite:other.db", "file:tokens"), ("file:tokens", "sqlite:other.db")])
    func `migrate copies to another kind of store and leaves the source, or empties it`(
        _ from: String,
        _ to: String
    ) async throws {
        let (bench, token) = try await signedIn("--store", from)
        let copied = await bench.run("store", "migrate", "--store", from, "--to", to, "--json")
        #expect(copied.exit == .done)
        #expect(copied.json?["copied"]?.int64 == 1)
        #expect(copied.messages.contains("hold the same tokens now"))
        #expect(await bench.run("token", "--store", from).output == token)
        #expect(await bench.run("token", "--store", to).output == token)
        let moved = await bench.run("store", "migrate", "--store", from, "--to", to, "--purge-source", "--json")
        #expect(moved.exit == .done)
        #expect(moved.json?["purged"]?.int64 == 1)
        #expect(!moved.messages.contains("hold the same tokens now"))
        #expect(await bench.run("token", "--store", from).exit == .signInNeeded)
        #expect(await bench.run("token", "--store", to).output == token)
        await bench.server.stop()
    }

    @Test func `migrate keeps what the target has of another sign-in, and says so`() async throws {
        let (bench, _) = try await signedIn()
        #expect(await bench.login("--store", "file:tokens").exit == .done)
        let kept = await bench.run("store", "migrate", "--to", "file:tokens", "--json")
        #expect(kept.exit == .negative)
        #expect(kept.json?["kept"]?.array?.count == 1)
        #expect(kept.messages.contains("--replace"))
        #expect(await bench.run("store", "migrate", "--to", "file:tokens", "--replace").exit == .done)
        await bench.server.stop()
    }

    @Test(arguments: [
        ["store", "migrate"], ["store", "migrate", "--to", "memory:"], ["store", "init", "--store", "memory:"],
    ])
    func `a target that makes no sense is a mistake of the line`(_ words: [String]) async throws {
        let (bench, _) = try await signedIn()
        #expect(await bench.run(words).exit == .usage)
        await bench.server.stop()
    }

}
