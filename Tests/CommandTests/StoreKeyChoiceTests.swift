import AuthKitCore
import Testing

@testable import authkit_cli

/// Which store a key source is chosen for, and what a cut in the middle leaves.
@Suite struct StoreKeyChoiceTests {
    private static let key = String(repeating: "A", count: 43)

    /// A home whose variable `STORE_KEY` holds a key.
    private func home() throws -> CommandHarness { try CommandHarness(["STORE_KEY": Self.key]) }

    private func isOpen(_ harness: CommandHarness, _ more: String...) async -> Bool {
        await harness.run(["store", "check"] + more).exit == .done
    }

    @Test func `a source chosen for another store changes nothing for the usual one`() async throws {
        let harness = try home()
        let other = ["--store", "file:other"]
        #expect(await harness.run("store", "init").exit == .done)
        #expect(await harness.run(["store", "init", "--key-source", "env:STORE_KEY"] + other).exit == .done)
        #expect(await isOpen(harness))
        #expect(await isOpen(harness, "--store", "file:other"))
        #expect(await harness.run(["store", "rekey", "--to", "keyfile:new.key"] + other).exit == .done)
        #expect(await isOpen(harness))
        #expect(await isOpen(harness, "--store", "file:other"))
        var variables = harness.variables
        variables["AUTHKIT_STORE"] = "file:other"
        #expect(await harness.run(["store", "check"], variables: variables).exit == .done)
        #expect(await harness.run(["store", "rekey", "--to", "env:STORE_KEY"], variables: variables).exit == .done)
        #expect(await isOpen(harness))
        #expect(await isOpen(harness, "--store", "file:other"))
    }

    @Test func `a source chosen for the usual store changes nothing for one that was made before`() async throws {
        let harness = try home()
        #expect(await harness.run("store", "init", "--store", "file:other").exit == .done)
        #expect(await harness.run("store", "init", "--key-source", "env:STORE_KEY").exit == .done)
        #expect(await isOpen(harness))
        #expect(await isOpen(harness, "--store", "file:other"))
    }

    @Test func `a migration leaves the new store's key where later commands find it`() async throws {
        let harness = try home()
        #expect(await harness.run("store", "init").exit == .done)
        let to = ["--to", "file:other", "--to-key-source", "env:STORE_KEY"]
        #expect(await harness.run(["store", "migrate"] + to).exit == .done)
        #expect(await isOpen(harness))
        #expect(await isOpen(harness, "--store", "file:other"))
        #expect(await harness.run("store", "migrate", "--store", "file:other", "--to", "file:third").exit == .done)
        #expect(await isOpen(harness, "--store", "file:third"))
    }

    @Test func `the error names the source that the store was made with, and how to go on`() async throws {
        let harness = try home()
        #expect(await harness.run("store", "init").exit == .done)
        let usual = await harness.run("store", "check", "--key-source", "env:STORE_KEY", "--json")
        #expect(usual.exit == .configuration)
        #expect(usual.errorCode == "other_key_source")
        let message = usual.json?["error"]?["message"]?.string ?? ""
        for part in ["the usual key file", "--key-source keyfile:\(harness.home)/store.key", "env:STORE_KEY"] {
            #expect(message.contains(part), "\(part)")
        }
        let same = await harness.run("store", "check", "--key-source", "keyfile:none.key", "--json")
        #expect(same.exit == .configuration)

        let other = ["--store", "file:other", "--json"]
        let elsewhere = ["--key-source", "keyfile:elsewhere.key"]
        #expect(await harness.run(["store", "init"] + elsewhere + other).exit == .done)
        let named = await harness.run(["store", "check", "--key-source", "env:STORE_KEY"] + other)
        #expect(named.json?["error"]?["message"]?.string?.contains("a key file other than the usual one") == true)
        let wrong = await harness.run(["store", "check", "--key-source", "keyfile:store.key"] + other)
        #expect(wrong.errorCode == "wrong_key")
        #expect(wrong.json?["error"]?["message"]?.string?.contains("\(harness.home)/store.key") == true)
    }

    @Test func `init that was cut short is finished by the same line, wherever the cut was`() async throws {
        let harness = try home()
        let line = ["store", "init", "--key-source", "env:STORE_KEY", "--json"]
        #expect(await harness.run(line).exit == .done)
        // The store without its line in the configuration, as an older version left it.
        try harness.write(#"{"version":1,"profiles":{}}"#, to: "config.json")
        let lost = await harness.run("store", "check", "--json")
        #expect(lost.exit == .configuration)
        #expect(lost.json?["error"]?["message"]?.string?.contains("authkit store init --key-source env:NAME") == true)
        let finished = await harness.run(line)
        #expect(finished.exit == .done)
        #expect(finished.json?["made"]?.bool == false)
        #expect(finished.messages.contains("already"))
        #expect(await isOpen(harness))
        let again = await harness.run(line)
        #expect(again.exit == .configuration)
        #expect(again.errorCode == "store_exists")
        // The line without the store: nothing is locked, and the same line makes it.
        try harness.remove("store.db")
        let made = await harness.run(line)
        #expect(made.exit == .done)
        #expect(made.json?["made"]?.bool == true)
        #expect(await isOpen(harness))
    }

    @Test func `init whose key cannot be had leaves the configuration as it was`() async throws {
        let harness = try home()
        let failed = await harness.run("store", "init", "--key-source", "env:NO_KEY", "--json")
        #expect(failed.exit == .configuration)
        #expect(failed.errorCode == "key_unavailable")
        #expect(harness.text(of: "config.json")?.contains("NO_KEY") == false)
        #expect(await harness.run("store", "init").exit == .done)
        #expect(await isOpen(harness))
    }

    @Test func `init with another source than the store's is 78 and changes nothing`() async throws {
        let harness = try home()
        #expect(await harness.run("store", "init").exit == .done)
        let other = await harness.run("store", "init", "--key-source", "env:STORE_KEY", "--json")
        #expect(other.exit == .configuration)
        #expect(other.errorCode == "store_exists")
        #expect(await isOpen(harness))
    }

    @Test(arguments: [
        [], ["--key-source", "env:STORE_KEY"], ["--store", "file:other", "--key-source", "env:STORE_KEY"],
    ])
    func `of several at once one makes the store, and the others say that it is there`(
        _ flags: [String]
    ) async throws {
        for _ in 0..<3 {
            let harness = try home()
            let outcomes = await withTaskGroup(of: CommandHarness.Outcome.self) { group in
                for _ in 0..<4 { group.addTask { await harness.run(["store", "init", "--json"] + flags) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0.exit == .done } == 1)
            #expect(outcomes.count { $0.exit == .configuration && $0.errorCode == "store_exists" } == 3)
        }
    }

    @Test func `a new passphrase is asked for once, not again to open what it has made`() async throws {
        let asked = Guarded<[Bool]>([])
        let source = PromptedPassphrase { isNew in
            asked.withLock { $0.append(isNew) }
            return SecretBytes(copying: Array("correct horse".utf8))
        }
        let store = InMemoryStore()
        _ = try await Vault.open(store, keySource: source)
        #expect(asked.withLock { $0 } == [true])
        _ = try await Vault.open(store, keySource: source)
        #expect(asked.withLock { $0 } == [true, false])
        let ahead = PromptedPassphrase { isNew in
            asked.withLock { $0.append(isNew) }
            return SecretBytes(copying: Array("correct horse".utf8))
        }
        try await ahead.askAhead()
        _ = try await Vault.open(InMemoryStore(), keySource: ahead)
        #expect(asked.withLock { $0 } == [true, false, true])
    }

    @Test func `a key file that opens nothing any more is told`() async throws {
        let harness = try home()
        #expect(await harness.run("store", "init").exit == .done)
        let away = await harness.run("store", "rekey", "--to", "env:STORE_KEY")
        #expect(away.exit == .done)
        #expect(away.messages.contains("\(harness.home)/store.key no longer opens it"))
        #expect(await isOpen(harness))
    }

    @Test func `the configuration keeps a line for each store`() throws {
        var configuration = Configuration()
        configuration.keySource = "passphrase"
        configuration.keySources = ["file:/a": "env:K", "sqlite:/b": "keyfile:/k"]
        #expect(try Configuration(parsing: configuration.serialized, from: "c") == configuration)
        let wrong = Array(#"{"version":1,"key_sources":{"file:/a":1}}"#.utf8)
        let failure = #expect(throws: CommandFailure.self) { try Configuration(parsing: wrong, from: "c") }
        #expect(failure?.message.contains("key_sources.file:/a") == true)
    }
}
