import AuthKitCore
import Foundation
import Testing

@testable import authkit_cli

@Suite struct ProfileImportTests {
    /// Every key of AppAuth's auth_config.json.
    private func appAuth(
        discovery: String = "",
        scope: String = "openid email profile",
        authorization: String = "",
        token: String = "",
        https: String = "true"
    ) -> String {
        """
        {
          "client_id": "932c9c22-16d3-46a3-9b6f-9b019003c444",
          "redirect_uri": "net.openid.appauthdemo:/oauth2redirect",
          "end_session_redirect_uri": "net.openid.appauthdemo:/oauth2redirect",
          "authorization_scope": "\(scope)",
          "discovery_uri": "\(discovery)",
          "authorization_endpoint_uri": "\(authorization)",
          "token_endpoint_uri": "\(token)",
          "registration_endpoint_uri": "",
          "user_info_endpoint_uri": "",
          "https_required": \(https)
        }
        """
    }

    private func imported(_ text: String, _ flags: String...) async throws -> (CommandHarness, CommandHarness.Outcome) {
        let harness = try CommandHarness()
        let file = try harness.write(text, to: "auth_config.json", mode: 0o644)
        return (harness, await harness.run(["profile", "import", file] + flags))
    }

    private func shown(_ harness: CommandHarness) async -> CommandHarness.Outcome {
        await harness.run("profile", "show", "--json")
    }

    @Test func `empty texts are absent and openid without an issuer names the flag`() async throws {
        let (harness, outcome) = try await imported(appAuth())
        #expect(outcome.exit == .configuration)
        #expect(outcome.messages.contains("--issuer"))
        #expect(harness.text(of: "config.json") == nil)
    }

    @Test func `a discovery URL makes an OpenID profile`() async throws {
        let discovery = "https://id.example/api/oidc/.well-known/openid-configuration"
        let (harness, outcome) = try await imported(appAuth(discovery: discovery), "--name", "mobile")
        #expect(outcome.exit == .done)
        let profile = await shown(harness).json
        #expect(profile?["name"]?.string == "mobile")
        #expect(profile?["issuer"]?.string == discovery)
        #expect(profile?["client_id"]?.string == "932c9c22-16d3-46a3-9b6f-9b019003c444")
        #expect(profile?["scope"]?.string == "openid email profile")
        #expect(profile?["redirect_uri"]?.array?.first?.string == "net.openid.appauthdemo:/oauth2redirect")
        #expect(profile?["post_logout_redirect_uri"]?.string == "net.openid.appauthdemo:/oauth2redirect")
        #expect(profile?["token_endpoint"] == nil)
    }

    @Test(arguments: [
        ("client_id", "other", "client_id"),
        ("redirect_uri", "http://127.0.0.1:0/back", "redirect_uri"),
        ("end_session_redirect_uri", "http://127.0.0.1:0/out", "post_logout_redirect_uri"),
        ("authorization_scope", "email", "scope"),
        ("discovery_uri", "https://id.example/.well-known/openid-configuration", "issuer"),
        ("authorization_endpoint_uri", "https://id.example/a", "authorization_endpoint"),
        ("token_endpoint_uri", "https://id.example/t", "token_endpoint"),
        ("registration_endpoint_uri", "https://id.example/r", "registration_endpoint"),
        ("user_info_endpoint_uri", "https://id.example/u", "userinfo_endpoint"),
        ("end_session_endpoint_uri", "https://id.example/e", "end_session_endpoint"),
    ])
    func `each key is kept`(_ key: String, _ value: String, _ kept: String) async throws {
        let plain = ["client_id": "c", "redirect_uri": "a.example:/b"].merging([key: value]) { _, new in new }
        let object = String(decoding: try JSONEncoder().encode(plain), as: UTF8.self)
        let (harness, outcome) = try await imported(object, "--issuer", "https://other.example", "--name", "m")
        #expect(outcome.exit == .done)
        let found = await shown(harness).json?[kept]
        // The flag goes before the file here; without it the file's own is taken.
        guard kept != "issuer" else {
            let (alone, _) = try await imported(object, "--name", "m")
            #expect(await shown(alone).json?[kept]?.string == value)
            return
        }
        #expect((found?.string ?? found?.array?.first?.string) == value)
        // What was imported is read again, and written again by an edit.
        #expect(await harness.run("profile", "edit", "m", "--login-hint", "x").exit == .done)
        #expect(harness.text(of: "config.json")?.contains("\"\(kept)\"") == true)
    }

    @Test(arguments: ["--introspection-endpoint", "--registration-endpoint"])
    func `endpoints that nothing uses have no flag`(_ flag: String) async throws {
        let harness = try CommandHarness()
        let arguments = ["profile", "add", "m", "--issuer", "https://id.example", "--client-id", "c"]
        let outcome = await harness.run(arguments + [flag, "https://id.example/x", "--json"])
        #expect(outcome.exit == .usage)
        #expect(outcome.json?["error"]?["message"]?.string?.contains(flag) == true)
    }

    @Test func `a pipe that nobody writes to does not hold an import beyond its time`() async throws {
        let harness = try CommandHarness()
        let path = harness.home + "/pipe"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let late = await harness.run("profile", "import", path, "m", "--timeout", "0.2", "--json")
        #expect(late.errorCode == "timed_out")
        async let outcome = harness.run("profile", "import", path, "m")
        let text = Data(appAuth(discovery: "https://id.example").utf8)
        await ProcessTests.blocking {
            // Opening waits for the reader.
            let pipe = FileHandle(forWritingAtPath: path)
            pipe?.write(text)
            try? pipe?.close()
        }
        #expect(await outcome.exit == .done)
    }

    @Test func `a flag goes before the file`() async throws {
        let (harness, outcome) = try await imported(appAuth(), "--issuer", "https://id.example", "--scope", "openid")
        #expect(outcome.exit == .done)
        #expect(await shown(harness).json?["scope"]?.string == "openid")
        #expect(await shown(harness).json?["name"]?.string == "auth_config")
    }

    @Test func `explicit endpoints without openid make a plain OAuth profile`() async throws {
        let text = appAuth(scope: "email", authorization: "https://id.example/a", token: "https://id.example/t")
        let (harness, outcome) = try await imported(text)
        #expect(outcome.exit == .done)
        #expect(await shown(harness).json?["authorization_endpoint"]?.string == "https://id.example/a")
        #expect(await shown(harness).json?["issuer"] == nil)
    }

    @Test func `https_required false allows http on loopback only`() async throws {
        let (_, refused) = try await imported(appAuth(discovery: "http://id.example", https: "false"))
        #expect(refused.exit == .configuration)
        let (_, taken) = try await imported(appAuth(discovery: "http://127.0.0.1:8080", https: "false"))
        #expect(taken.exit == .done)
    }

    @Test func `a client registration is read and its secret kept in a file of its own`() async throws {
        let text = """
            {"client_id": "s6BhdRkqt3", "client_secret": "ZJYCqe3GGRvdrudKyZS0XhGv_Z45DuKhCUk0gBR1vZk",
             "client_secret_expires_at": 1577858400, "registration_access_token": "this.is.an.access.token.value",
             "registration_client_uri": "https://id.example/connect/register?client_id=s6BhdRkqt3",
             "token_endpoint_auth_method": "client_secret_post", "application_type": "native",
             "redirect_uris": ["https://app.example/callback", "http://127.0.0.1/callback"],
             "id_token_signed_response_alg": "ES256", "scope": "openid email"}
            """
        let (harness, outcome) = try await imported(text, "--issuer", "https://id.example", "--name", "reg")
        #expect(outcome.exit == .done)
        let profile = await shown(harness).json
        #expect(profile?["client_auth"]?.string == "client_secret_post")
        #expect(profile?["redirect_uri"]?.array?.compactMap(\.string) == ["http://127.0.0.1/callback"])
        #expect(profile?["id_token_alg"]?.array?.compactMap(\.string) == ["ES256"])
        #expect(harness.text(of: "config.json")?.contains("ZJYCqe3GG") == false)
        #expect(harness.text(of: "config.json")?.contains("this.is.an.access.token") == false)
        #expect(harness.text(of: "reg.client-secret") == "ZJYCqe3GGRvdrudKyZS0XhGv_Z45DuKhCUk0gBR1vZk\n")
        #expect(try harness.mode(of: "reg.client-secret") == 0o600)
    }

    @Test func `a method that is not known is refused`() async throws {
        let text = #"{"client_id": "x", "token_endpoint_auth_method": "private_key_jwt", "redirect_uris": []}"#
        let (_, outcome) = try await imported(text, "--issuer", "https://id.example")
        #expect(outcome.exit == .configuration)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"a":1}"#, #"{"client_id":5}"#, #"{"client_id":"x","client_id":"y"}"#])
    func `what is neither form is malformed`(_ text: String) async throws {
        let (_, outcome) = try await imported(text, "--issuer", "https://id.example")
        #expect(outcome.exit == .badData)
    }

    @Test func `a file that is missing cannot be read`() async throws {
        let harness = try CommandHarness()
        #expect(await harness.run("profile", "import", "nothing.json").exit == .inputOutput)
    }

    @Test func `an import does not replace a profile unasked`() async throws {
        let (harness, first) = try await imported(appAuth(discovery: "https://id.example"), "--name", "m")
        #expect(first.exit == .done)
        let again = await harness.run("profile", "import", "auth_config.json", "m", "--json")
        #expect(again.errorCode == "profile_exists")
        #expect(await harness.run("profile", "import", "auth_config.json", "m", "--replace").exit == .done)
    }
}
