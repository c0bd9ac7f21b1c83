import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// Key sources as a person names them.
@Suite struct KeySourceCommandTests {
    typealias Bench = SignInCommandTests.Bench

    @Test func `a passphrase in a file opens the store, a wrong or missing one does not and spoils nothing`()
        async throws
    {
        let bench = try await Bench.start()
        let source = ["--key-source", "passphrase-file:\(bench.harness.home)/words"]
        try bench.harness.write("correct horse\n", to: "words")
        #expect(await bench.login(source).exit == .done)
        #expect(await bench.run(["token"] + source).exit == .done)

        try bench.harness.write("wrong horse\n", to: "words")
        let wrong = await bench.run(["token", "--json"] + source)
        #expect(wrong.exit == .configuration)
        #expect(wrong.errorCode == "wrong_key")
        #expect(await bench.login(source).exit == .configuration)

        try bench.harness.remove("words")
        let missing = await bench.run(["token", "--json"] + source)
        #expect(missing.exit == .configuration)
        #expect(missing.errorCode == "key_unavailable")
        #expect(missing.json?["error"]?["message"]?.string?.contains(bench.harness.home + "/words") == true)
        let folder = await bench.run("token", "--json", "--key-source", "passphrase-file:\(bench.harness.home)")
        #expect(folder.exit == .configuration)
        #expect(folder.errorCode == "key_unavailable")

        try bench.harness.write("correct horse\n", to: "words")
        #expect(await bench.run(["token"] + source).exit == .done)
        await bench.server.stop()
    }

    @Test func `a passphrase that may not be asked for is configuration, and no store is made`() async throws {
        let bench = try await Bench.start()
        let outcome = await bench.login("--key-source", "passphrase", "--non-interactive")
        #expect(outcome.exit == .configuration)
        #expect(outcome.errorCode == "key_unavailable")
        #expect(outcome.json?["error"]?["message"]?.string?.contains("passphrase-file:") == true)
        await bench.server.stop()
    }

    @Test func `a key in a variable opens the store; a wrong, malformed or missing one does not`() async throws {
        let key = String(repeating: "A", count: 43)
        let bench = try await Bench.start(variables: ["STORE_KEY": key, "AUTHKIT_KEY_SOURCE": "env:STORE_KEY"])
        #expect(await bench.login().exit == .done)
        #expect(await bench.run("token").exit == .done)
        for (other, code) in [
            (String(repeating: "A", count: 42) + "E", "wrong_key"), ("short", nil), ("", "key_unavailable"),
        ] {
            var variables = bench.harness.variables
            variables["STORE_KEY"] = other
            let outcome = await bench.run(["token", "--json"], variables: variables)
            #expect(outcome.exit == .configuration, "\(other)")
            if let code { #expect(outcome.errorCode == code) }
            #expect(!outcome.output.contains(other) || other.isEmpty)
        }
        #expect(await bench.run("token").exit == .done)
        await bench.server.stop()
    }

    @Test func `a key command gets neither our variables nor a key source's`() async throws {
        let key = String(repeating: "A", count: 43)
        let bench = try await Bench.start(
            variables: ["STORE_KEY": key, "OTHER_KEY": key, "AUTHKIT_STORE": "file:tokens"]
        )
        let seen = bench.harness.home + "/seen"
        let command = "command:env | cut -d= -f1 >> \(seen); printf %s \(key)"
        let old = ["--key-source", "env:STORE_KEY"]
        #expect(await bench.run(["store", "init"] + old).exit == .done)
        #expect(await bench.run(["store", "rekey", "--to", command] + old).exit == .done)
        #expect(await bench.run("store", "check").exit == .done)
        // The old source's variable is withheld while the source is changed, the new one's as well.
        var names = Set((bench.harness.text(of: "seen") ?? "").split(separator: "\n").map(String.init))
        #expect(names.isSuperset(of: ["PATH", "HOME", "AUTHKIT_HOME", "OTHER_KEY"]))
        #expect(names.isDisjoint(with: ["AUTHKIT_STORE", "AUTHKIT_KEY_SOURCE"]))
        try bench.harness.write("", to: "seen")
        #expect(await bench.run("store", "rekey", "--to", "env:OTHER_KEY").exit == .done)
        names = Set((bench.harness.text(of: "seen") ?? "").split(separator: "\n").map(String.init))
        #expect(names.contains("PATH"))
        #expect(!names.contains("OTHER_KEY"))
        try bench.harness.write("", to: "seen")
        var variables = bench.harness.variables
        variables["AUTHKIT_KEY_SOURCE"] = "env:STORE_KEY"
        let words = ["store", "rekey", "--to", command, "--key-source", "env:OTHER_KEY"]
        let back = await bench.run(words, variables: variables)
        #expect(back.exit == .done)
        names = Set((bench.harness.text(of: "seen") ?? "").split(separator: "\n").map(String.init))
        #expect(names.contains("PATH"))
        #expect(names.isDisjoint(with: ["OTHER_KEY", "STORE_KEY", "AUTHKIT_STORE", "AUTHKIT_KEY_SOURCE"]))
        await bench.server.stop()
    }

    @Test func `a key command gets neither a database's password nor another store's key`() async throws {
        let key = String(repeating: "A", count: 43)
        let harness = try CommandHarness(["STORE_KEY": key, "PGPASSWORD": "hush"])
        let seen = harness.home + "/seen"
        let other = ["--store", "file:other", "--key-source", "env:STORE_KEY"]
        #expect(await harness.run(["store", "init"] + other).exit == .done)
        let command = "command:env | cut -d= -f1 >> \(seen); printf %s \(key)"
        #expect(await harness.run("store", "init", "--key-source", command).exit == .done)
        let names = Set((harness.text(of: "seen") ?? "").split(separator: "\n").map(String.init))
        #expect(names.contains("PATH"))
        #expect(names.isDisjoint(with: ["PGPASSWORD", "STORE_KEY"]))
    }

    @Test func `a key that cannot be had is 78, whatever lies in its place`() async throws {
        let harness = try CommandHarness()
        #expect(await harness.run("store", "init").exit == .done)
        try #require(unsafe mkfifo(harness.home + "/pipe", 0o600) == 0)
        try #require(unsafe symlink("store.key", harness.home + "/link") == 0)
        try harness.write(String(repeating: "A", count: 5000), to: "large")
        for name in ["pipe", "link", "large", "none", "."] {
            for source in ["keyfile:\(name)", "passphrase-file:\(name)", "systemd-credential:\(name)"] {
                var variables = harness.variables
                variables["CREDENTIALS_DIRECTORY"] = harness.home
                // A credential's name is no path, and the link leads to a key file.
                let words = ["store", "check", "--key-source", source, "--json"]
                let outcome = await harness.run(words, variables: variables)
                #expect(outcome.exit == .configuration, "\(source): \(outcome.output)")
                let made = ["store", "init", "--store", "file:new-\(name.count)", "--key-source", source, "--json"]
                guard name != "none" || !source.hasPrefix("keyfile:") else { continue }
                #expect(await harness.run(made, variables: variables).exit == .configuration, "\(source)")
            }
        }
    }

    @Test func `help names every key source`() async throws {
        let help = await (try CommandHarness()).run("--help").output
        for form in ["keyfile:PATH", "passphrase-file:PATH", "env:NAME", "command:CMD", "systemd-credential:NAME"] {
            #expect(help.contains(form), "\(form)")
        }
        #expect(help.contains("secret-service"))
    }

    @Test func `a browser is not started while it is unknown which variable holds the key`() throws {
        let harness = try CommandHarness()
        let parsed = try ArgumentParser(CommandTable.all).parse(["login"])
        guard case .run(let arguments) = parsed else { throw CommandFailure.usage("login") }
        let surroundings = harness.surroundings()
        let console = Console(sink: RecordingSink(), style: .init())
        let invocation = Invocation(arguments: arguments, surroundings: surroundings, console: console)
        try harness.write(#"{"version":1,"key_source":"env:STORE_KEY"}"#, to: "config.json")
        #expect(throws: Never.self) { _ = try SignInFlow.browser(invocation) }
        try harness.write(#"{"version":1,"key_sou"#, to: "config.json")
        let failure = #expect(throws: CommandFailure.self) { _ = try SignInFlow.browser(invocation) }
        #expect(failure?.exit == .configuration)
    }
}
