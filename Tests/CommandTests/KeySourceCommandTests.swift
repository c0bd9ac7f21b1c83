import AuthKitCore
import AuthKitDevServer
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
