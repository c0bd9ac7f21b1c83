import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct PlacesTests {
    private func places(_ variables: [String: String], config: String? = nil, store: String? = nil) -> Places {
        Places(
            environment: Environment(variables: variables),
            configuration: config,
            store: store,
            workingDirectory: "/here"
        )
    }

    @Test func `the configuration is the flag's, then the variable's, then the home's, then XDG's`() throws {
        var variables = ["HOME": "/nonexistent", "XDG_CONFIG_HOME": "/x"]
        #expect(try places(variables).configurationFile == "/x/authkit/config.json")
        variables["AUTHKIT_HOME"] = "/a"
        #expect(try places(variables).configurationFile == "/a/config.json")
        variables["AUTHKIT_CONFIG"] = "c.json"
        #expect(try places(variables).configurationFile == "/here/c.json")
        #expect(try places(variables, config: "./d.json").configurationFile == "/here/d.json")
    }

    @Test func `an empty variable and a relative XDG directory count as absent`() throws {
        let variables = ["HOME": "/nonexistent", "XDG_CONFIG_HOME": "x", "AUTHKIT_HOME": ""]
        #expect(try places(variables).configurationFile == "/nonexistent/.config/authkit/config.json")
    }

    @Test func `the store is the flag's, then the variable's, then the home's, then XDG's`() throws {
        var variables = ["HOME": "/nonexistent"]
        #expect(try places(variables).store == .sqlite("/nonexistent/.local/share/authkit/store.db"))
        variables["AUTHKIT_HOME"] = "/a"
        #expect(try places(variables).store == .sqlite("/a/store.db"))
        variables["AUTHKIT_STORE"] = "sqlite:b.db"
        #expect(try places(variables).store == .sqlite("/here/b.db"))
        #expect(try places(variables, store: "memory:").store == .memory)
    }

    @Test(arguments: ["mysql://user:secret@host/db", "sqlite:", "file:", "file", "store.db"])
    func `a store that is not known is refused without its address`(_ text: String) {
        do {
            _ = try places([:], store: text).store
            Issue.record("taken: \(text)")
        } catch {
            #expect(error.exit == .configuration)
            #expect(!error.message.contains("secret"))
        }
    }

    @Test func `directories and databases are stores too`() throws {
        #expect(try places([:], store: "file:tokens").store == .file("/here/tokens"))
        #if Postgres
        let database = try places([:], store: "postgres://user:secret@host:1/db?password=secret").store
        #expect(database == .postgres("postgres://user:secret@host:1/db?password=secret"))
        #expect(database.text == "postgres://host:1/db")
        #endif
    }

    @Test func `a store without a file is told how to name one`() {
        let error = #expect(throws: CommandFailure.self) { _ = try places([:], store: "sqlite:").store }
        #expect(error?.message.contains("write sqlite:PATH") == true)
    }

    @Test func `sockets lie in the runtime directory, then beside the store`() throws {
        let variables = ["AUTHKIT_HOME": "/a", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(try places(variables).socketDirectories == ["/run/user/1/authkit", "/a"])
        #expect(try places(["AUTHKIT_HOME": "/a"]).socketDirectories == ["/a"])
    }

    @Test func `children get neither the key's variable nor ours that may bear secrets`() {
        let environment = Environment(variables: [
            "PATH": "/bin", "MY_KEY": "k", "AUTHKIT_HOME": "/a", "AUTHKIT_STORE": "postgres://u:p@h", "AUTHKIT_X": "y",
            "PGPASSWORD": "p", "PGSSLPASSWORD": "p", "PGPASSFILE": "/b", "PGHOST": "h",
        ])
        let names = environment.forChildren(keySources: ["env:MY_KEY"]).keys.sorted()
        #expect(names == ["AUTHKIT_HOME", "PATH", "PGHOST", "PGPASSFILE"])
    }

    @Test(arguments: [
        "keyfile:", "passphrase:hunter2", "passphrase-file:", "env:", "command:", "systemd-credential:",
        "secret-service:hunter2", "", "KEYFILE:/x",
    ])
    func `a key source that is not known is refused`(_ text: String) {
        let error = #expect(throws: CommandFailure.self) { try KeySourceName(text) { $0 } }
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test(arguments: [
        ("keyfile:k", KeySourceName.keyFile("/here/k")), ("passphrase", .passphrase), ("env:K", .environment("K")),
        ("passphrase-file:p", .passphraseFile("/here/p")), ("command:pass show a:b", .command("pass show a:b")),
        ("systemd-credential:c", .systemdCredential("c")), ("secret-service", .secretService),
    ])
    func `each kind of key source is read, and written as it is read`(_ text: String, _ source: KeySourceName) throws {
        let read = try KeySourceName(text) { "/here/\($0)" }
        #expect(read == source)
        #expect(try KeySourceName(read.text) { $0 } == source)
    }
}
