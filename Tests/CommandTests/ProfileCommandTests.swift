import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct ProfileCommandTests {
    private let issuer = ["--issuer", "https://issuer.example", "--client-id", "me"]

    private func add(_ harness: CommandHarness, _ name: String, _ more: String...) async -> CommandHarness.Outcome {
        await harness.run(["profile", "add", name, "--provider", "oidc"] + issuer + more)
    }

    @Test func `the first profile becomes the default one`() async throws {
        let harness = try CommandHarness()
        #expect(await add(harness, "work").exit == .done)
        #expect(await add(harness, "home").exit == .done)
        let shown = await harness.run("profile", "show", "--json")
        #expect(shown.json?["name"]?.string == "work")
        #expect(shown.json?["default"]?.bool == true)
        #expect(shown.json?["issuer"]?.string == "https://issuer.example")
        #expect(await harness.run("profile", "set-default", "home").exit == .done)
        #expect(await harness.run("profile", "show", "--json").json?["name"]?.string == "home")
    }

    @Test func `files are private`() async throws {
        let harness = try CommandHarness()
        _ = await add(harness, "work")
        #expect(try harness.mode(of: "config.json") == 0o600)
    }

    @Test func `a name that exists is refused unless it is to be replaced`() async throws {
        let harness = try CommandHarness()
        _ = await add(harness, "work")
        let again = await add(harness, "work", "--json")
        #expect(again.exit == .configuration)
        #expect(again.errorCode == "profile_exists")
        #expect(await add(harness, "work", "--replace", "--audience", "api").exit == .done)
        #expect(await harness.run("profile", "show", "--json").json?["audience"]?.string == "api")
    }

    @Test(arguments: [
        ["--issuer", "http://issuer.example"], ["--issuer", "issuer.example"], ["--issuer", "ftp://issuer.example"],
        ["--token-endpoint", "http://issuer.example/token"], ["--redirect-uri", "http://example.org/callback"],
        ["--redirect-uri", "https://example.org/callback"], ["--redirect-uri", "http://127.0.0.1/cb#x"],
        ["--redirect-uri", ""], ["--max-age", "-1"], ["--max-age", "soon"], ["--clock-skew", "360"],
        ["--param", "novalue"], ["--param", "state=x"], ["--id-token-alg", "none"], ["--id-token-alg", "HS256"],
        ["--client-secret-file", "/nonexistent"], ["--ca-file", "/nonexistent"],
        ["--client-auth", "client_secret_post"],
        ["--prompt", "login none"], ["--prompt", "l\u{F6}gin"], ["--prompt", "\"login\""], ["--prompt", " "],
        ["--scope", "a\\b"], ["--acr-values", "\u{201C}gold\u{201D}"],
        ["--resource", "api"], ["--scope", "a\u{7}b"], ["--post-logout-redirect-uri", "http://example.org/"],
    ])
    func `a value that cannot work is refused offline`(_ flags: [String]) async throws {
        let harness = try CommandHarness()
        var arguments = ["profile", "add", "work", "--client-id", "me"]
        if flags[0] != "--issuer" { arguments += ["--issuer", "https://issuer.example"] }
        let outcome = await harness.run(arguments + flags)
        #expect(outcome.exit == .configuration)
        #expect(harness.text(of: "config.json") == nil)
    }

    @Test(arguments: ["none", "create", "login consent select_account", "of-its-own"])
    func `a prompt that a specification or an issuer may have is passed on`(_ prompt: String) async throws {
        let harness = try CommandHarness()
        #expect(await add(harness, "work", "--prompt", prompt).exit == .done)
        #expect(await harness.run("profile", "show", "--json").json?["prompt"]?.string == prompt)
    }

    @Test func `an empty value is told what to do`() async throws {
        let outcome = await (try CommandHarness()).run("profile", "add", "work", "--client-id", "me", "--issuer", "")
        #expect(outcome.exit == .configuration)
        #expect(outcome.messages.contains("--issuer is empty; give it a value"))
    }

    @Test(arguments: [
        "http://127.0.0.1:0/callback", "http://localhost:8080", "http://[::1]:0/cb", "com.example.app:/oauth2redirect",
    ])
    func `redirect URIs on loopback and of private-use schemes are taken`(_ uri: String) async throws {
        let harness = try CommandHarness()
        #expect(await add(harness, "work", "--redirect-uri", uri).exit == .done)
    }

    @Test func `an issuer on loopback may be plain http`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run(
            "profile",
            "add",
            "dev",
            "--issuer",
            "http://127.0.0.1:8080",
            "--client-id",
            "me"
        )
        #expect(outcome.exit == .done)
    }

    @Test func `redirect URIs may be repeated or separated by commas, in order`() async throws {
        let harness = try CommandHarness()
        _ = await add(
            harness,
            "work",
            "--redirect-uri",
            "http://127.0.0.1:1/a,http://127.0.0.1:2/b",
            "--redirect-uri",
            "c.d:/e"
        )
        let uris = await harness.run("profile", "show", "--json").json?["redirect_uri"]?.array?.compactMap(\.string)
        #expect(uris == ["http://127.0.0.1:1/a", "http://127.0.0.1:2/b", "c.d:/e"])
    }

    @Test func `openid without an issuer is refused and names the flag`() async throws {
        let harness = try CommandHarness()
        let endpoints = ["--authorization-endpoint", "https://a.example/a", "--token-endpoint", "https://a.example/t"]
        let base = ["profile", "add", "work", "--client-id", "me"] + endpoints
        let refused = await harness.run(base + ["--scope", "openid email"])
        #expect(refused.exit == .configuration)
        #expect(refused.messages.contains("--issuer"))
        #expect(await harness.run(base + ["--scope", "email"]).exit == .done)
    }

    @Test func `a secret is named by its file, which others may not read`() async throws {
        let harness = try CommandHarness()
        let loose = try harness.write("s3cret\n", to: "loose", mode: 0o644)
        let refused = await add(harness, "work", "--client-secret-file", loose, "--json")
        #expect(refused.exit == .configuration)
        #expect(refused.errorCode == "loose_permissions")
        let tight = try harness.write("s3cret\n", to: "tight")
        #expect(await add(harness, "work", "--client-secret-file", tight).exit == .done)
        #expect(harness.text(of: "config.json")?.contains("s3cret") == false)
    }

    @Test func `a relative file is kept as an absolute path`() async throws {
        let harness = try CommandHarness()
        let path = try harness.write("s3cret", to: "secret")
        #expect(await add(harness, "work", "--client-secret-file", "./secret").exit == .done)
        #expect(await harness.run("profile", "show", "--json").json?["client_secret_file"]?.string == path)
    }

    @Test func `editing replaces and unsets fields and checks the whole`() async throws {
        let harness = try CommandHarness()
        _ = await add(harness, "work", "--audience", "api", "--max-age", "60")
        #expect(await harness.run("profile", "edit", "work", "--scope", "openid", "--unset", "audience").exit == .done)
        let shown = await harness.run("profile", "show", "--json").json
        #expect(shown?["scope"]?.string == "openid")
        #expect(shown?["audience"] == nil)
        #expect(shown?["max_age"]?.int64 == 60)
        let before = harness.text(of: "config.json")
        #expect(await harness.run("profile", "edit", "work", "--unset", "client-id").exit == .configuration)
        #expect(await harness.run("profile", "edit", "work").exit == .usage)
        #expect(await harness.run("profile", "edit", "wrok", "--scope", "x").messages.contains("Did you mean work?"))
        #expect(harness.text(of: "config.json") == before)
    }

    @Test func `another client is told to be another credential`() async throws {
        let harness = try CommandHarness()
        _ = await add(harness, "work")
        #expect(await harness.run("profile", "edit", "work", "--client-id", "you").messages.contains("authkit login"))
    }

    @Test func `removing the default leaves the only other one`() async throws {
        let harness = try CommandHarness()
        _ = await add(harness, "work")
        _ = await add(harness, "home")
        #expect(await harness.run("profile", "remove", "work").exit == .done)
        #expect(await harness.run("profile", "show", "--json").json?["name"]?.string == "home")
        #expect(await harness.run("profile", "remove", "work").exit == .configuration)
    }

    @Test func `listing has every profile, as JSON, as names and for people`() async throws {
        let harness = try CommandHarness()
        #expect(await harness.run("profile", "list", "--json").json?.array?.isEmpty == true)
        _ = await add(harness, "work")
        _ = await add(harness, "home")
        let list = await harness.run("profile", "list", "--json").json?.array
        #expect(list?.compactMap { $0["name"]?.string } == ["home", "work"])
        #expect(await harness.run("profile", "list", "--names").output == "home\nwork\n")
        #expect(await harness.run("profile", "list").output.contains("*"))
    }

    @Test(arguments: ["", "-x", "a b", "a/b", "../x", ".x", "a\u{1B}b"])
    func `a name that cannot be typed is refused`(_ name: String) async throws {
        let harness = try CommandHarness()
        #expect(await harness.run(["profile", "add"] + issuer + ["--", name]).exit == .usage)
    }

    @Test func `a profile without a client is a usage error`() async throws {
        let harness = try CommandHarness()
        #expect(await harness.run("profile", "add", "x", "--issuer", "https://a.example").exit == .usage)
    }

    @Test func `edits made at once are all kept`() async throws {
        let harness = try CommandHarness()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    _ = await harness.run(
                        "profile",
                        "add",
                        "p\(number)",
                        "--issuer",
                        "https://issuer.example",
                        "--client-id",
                        "c"
                    )
                }
            }
        }
        #expect(await harness.run("profile", "list", "--json").json?.array?.count == 12)
    }
}
