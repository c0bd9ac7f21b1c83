import AuthKitCore
import Testing

@testable import authkit_cli

/// What commands that change profiles say, and the files that they take along.
@Suite struct ProfileReportTests {
    private let add = ["profile", "add", "work", "--issuer", "https://issuer.example", "--client-id", "me"]

    @Test func `each writes one object`() async throws {
        let harness = try CommandHarness(["XDG_DATA_HOME": "/nonexistent"])
        let redirect = ["--redirect-uri", "com.example.app:/callback"]
        #expect(await harness.run(add + redirect).exit == .done)
        #expect(await harness.run("profile", "set-default", "work", "--json").json?["name"]?.string == "work")
        let edited = await harness.run("profile", "edit", "work", "--audience", "api", "--json")
        #expect(edited.json?["audience"]?.string == "api")
        let variables = ["XDG_DATA_HOME": harness.home, "XDG_CONFIG_HOME": harness.home]
            .merging(harness.variables) { new, _ in new }
        for (flag, isRegistered) in [("--register-scheme", true), ("--unregister-scheme", false)] {
            let outcome = await harness.run(["login", "work", flag, "--json"], variables: variables)
            #expect(outcome.exit == .done)
            #expect(outcome.json?["scheme"]?.string == "com.example.app")
            #expect(outcome.json?["registered"]?.bool == isRegistered)
        }
        let removed = await harness.run("profile", "remove", "work", "--json")
        #expect(removed.json?["name"]?.string == "work")
        #expect(removed.json?["removed"]?.bool == true)
        #expect(await harness.run("--version", "--json").json?["version"]?.string == CommandRunner.version)
    }

    @Test func `a profile that is replaced is not said to be added`() async throws {
        let harness = try CommandHarness()
        #expect(await harness.run(add).messages.contains("Added the profile work"))
        #expect(await harness.run(add + ["--replace"]).messages.contains("Replaced the profile work"))
    }

    @Test func `an imported secret goes with its profile, and a file of the person's own stays`() async throws {
        let harness = try CommandHarness()
        try harness.write(#"{"client_id":"c","client_secret":"hush","redirect_uris":[]}"#, to: "r.json")
        let flags = ["--issuer", "https://issuer.example"]
        #expect(await harness.run(["profile", "import", "r.json", "reg"] + flags).exit == .done)
        let own = try harness.write("mine\n", to: "own.client-secret")
        #expect(await harness.run(add + ["--client-secret-file", own]).exit == .done)
        let removed = await harness.run("profile", "remove", "reg")
        #expect(removed.messages.contains(harness.home + "/reg.client-secret"))
        #expect(harness.text(of: "reg.client-secret") == nil)
        #expect(await harness.run("profile", "remove", "work").exit == .done)
        #expect(harness.text(of: "own.client-secret") == "mine\n")
    }
}
