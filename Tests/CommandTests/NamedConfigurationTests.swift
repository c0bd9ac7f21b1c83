import AuthKitCore
import Foundation
import Testing

@testable import authkit_cli

/// A configuration file that somebody names, and directories that are not authkit's alone.
@Suite struct NamedConfigurationTests {
    private func message(_ outcome: CommandHarness.Outcome) -> String {
        outcome.json?["error"]?["message"]?.string ?? ""
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(arguments: ["/nofile", "/etc/no-such-authkit.json"])
    func `a named file that is missing is told, and nobody is told to close its directory`(_ path: String) async throws
    {
        let harness = try CommandHarness()
        for command in [["status"], ["profile", "list"]] {
            let outcome = await harness.run(["--config", path, "--json"] + command)
            #expect(outcome.exit == .configuration)
            #expect(message(outcome).contains("does not exist"))
            #expect(!message(outcome).contains("chmod"))
        }
    }

    @Test func `a named file is made by the first profile, in a directory that others may read`() async throws {
        let harness = try CommandHarness()
        try setMode(0o755, harness.home)
        let flags = ["--config", "mine.json", "--json"]
        #expect(await harness.run(["profile", "list"] + flags).exit == .configuration)
        let add = ["profile", "add", "a", "--issuer", "https://a.example", "--client-id", "a"]
        #expect(await harness.run(add + flags).exit == .done)
        #expect(await harness.run(["profile", "list"] + flags).exit == .done)
        #expect(try harness.mode(of: "mine.json") == 0o600)
        try setMode(0o644, harness.home + "/mine.json")
        #expect(await harness.run(["profile", "list"] + flags).errorCode == "loose_permissions")
    }

    @Test(arguments: [0o1777, 0o777, 0o720])
    func `a named file where others can replace it is refused`(_ mode: Int) async throws {
        let harness = try CommandHarness()
        try harness.write(#"{"version":1}"#, to: "mine.json")
        let list = ["profile", "list", "--config", "mine.json", "--json"]
        #expect(await harness.run(list).exit == .done)
        try setMode(mode, harness.home)
        let refused = await harness.run(list)
        #expect(refused.errorCode == "loose_permissions")
        #expect(message(refused).contains("directory of your own"))
        #expect(!message(refused).contains("chmod"))
    }

    @Test(arguments: ["/", "/tmp", "/etc", "/var/tmp", "/usr/lib"])
    func `nobody is told to close a directory that is everybody's`(_ path: String) async throws {
        let harness = try CommandHarness()
        let variables = harness.variables.merging(["AUTHKIT_HOME": path]) { _, new in new }
        let outcome = await harness.run(["status", "--json"], variables: variables)
        #expect(outcome.exit == .configuration)
        #expect(message(outcome).contains("directory of your own"))
        #expect(!message(outcome).contains("chmod"))
    }

    @Test func `nobody is told to close the home directory`() async throws {
        let harness = try CommandHarness()
        try setMode(0o755, harness.home)
        let outcome = await harness.run("status", "--json")
        #expect(outcome.exit == .configuration)
        #expect(message(outcome).contains("directory of your own"))
    }

    @Test func `a directory is no file to import`() async throws {
        let outcome = try await CommandHarness().run("profile", "import", ".", "--json")
        #expect(outcome.exit == .inputOutput)
        #expect(message(outcome).contains("name the file"))
    }
}
