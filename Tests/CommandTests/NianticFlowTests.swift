import AuthKitCore
import AuthKitDevServer
import Foundation
import ProviderNiantic
import Testing

@testable import authkit_cli

/// The NSDK's production flows by whole commands: nobody signs in.
@Suite struct NianticFlowTests {
    private func bench() async throws -> NianticBench { try await NianticBench.start() }

    private func add(_ bench: NianticBench, _ flow: String, _ flags: [String]) async -> CommandHarness.Outcome {
        await bench.run(["profile", "add", "work", "--provider", "niantic", "--flow", flow] + flags)
    }

    @Test func `a service account's token comes without a login`() async throws {
        let bench = try await bench()
        let key = try bench.harness.write("dev-api-key\n", to: "api.key")
        let flags = ["--identity-url", bench.server.issuer.url + "/oauth/token", "--api-key-file", key]
        #expect(await add(bench, "service-account", flags).exit == .done)
        #expect(await bench.run("status", "work").output.contains("run: authkit token work"))
        let token = await bench.run("token", "work", "--format", "json").json
        #expect(token?["expires_in"]?.int64 ?? 0 > 3500)
        #expect(await bench.run("token", "work").output.trimmingSpaces() == token?["access_token"]?.string)
        #expect(bench.statistics.keysExchanged == 1)
        #expect(await bench.run("refresh", "work", "--json").json?["refreshed"]?.bool == true)
        #expect(bench.statistics.keysExchanged == 2)
        await bench.server.stop()
    }

    @Test func `a store that has lost its contents is told, and made anew by a login alone`() async throws {
        let bench = try await bench()
        let key = try bench.harness.write("dev-api-key\n", to: "api.key")
        _ = await add(bench, "service-account", ["--identity-url", bench.server.issuer.url, "--api-key-file", key])
        try bench.harness.write("", to: "store.db")
        for command in ["token", "refresh"] {
            let outcome = await bench.run(command, "work", "--json")
            #expect(outcome.exit == .badData && outcome.errorCode == "corrupt", "\(command)")
        }
        #expect(bench.statistics.keysExchanged == 0)
        #expect(await bench.run("login", "work").exit == .done)
        #expect(await bench.run("token", "work").exit == .done)
        await bench.server.stop()
    }

    @Test func `after logout it stays out until login`() async throws {
        let bench = try await bench()
        let key = try bench.harness.write("dev-api-key\n", to: "api.key")
        _ = await add(bench, "service-account", ["--identity-url", bench.server.issuer.url, "--api-key-file", key])
        #expect(await bench.run("token", "work").exit == .done)
        #expect(await bench.run("logout", "work").exit == .done)
        #expect(await bench.run("token", "work", "--json").errorCode == "signed_out")
        #expect(await bench.run("refresh", "work").exit == .signInNeeded)
        let login = await bench.run("login", "work", "--json", "--non-interactive")
        #expect(login.exit == .done && login.json?["event"]?.string == "signed_in")
        #expect(await bench.run("token", "work").exit == .done)
        await bench.server.stop()
    }

    @Test func `a wrong key is configuration, and a login with it leaves what was stored`() async throws {
        let bench = try await bench()
        let key = try bench.harness.write("dev-api-key\n", to: "api.key")
        _ = await add(bench, "service-account", ["--identity-url", bench.server.issuer.url, "--api-key-file", key])
        let before = await bench.run("token", "work").output
        try bench.harness.write("another\n", to: "api.key")
        #expect(await bench.run("login", "work", "--json").errorCode == "api_key_refused")
        try bench.harness.write("dev-api-key\n", to: "api.key")
        #expect(await bench.run("token", "work").output == before)
        #expect(bench.statistics.keysExchanged == 1)
        // Another key is another account: what the earlier one gave is not handed out for it.
        try bench.harness.write("another\n", to: "api.key")
        let other = await bench.run("token", "work")
        #expect(other.exit == .configuration && other.output.isEmpty)
        #expect(await bench.run("refresh", "work").exit == .configuration)
        try bench.harness.write("dev-api-key\n", to: "api.key", mode: 0o644)
        #expect(await bench.run("refresh", "work").exit == .configuration)
        await bench.server.stop()
    }

    @Test func `another key file, or a token put into the file, counts from the next call`() async throws {
        let bench = try await bench()
        let key = try bench.harness.write("dev-api-key\n", to: "api.key")
        let other = try bench.harness.write("other-key\n", to: "other.key")
        _ = await add(bench, "service-account", ["--identity-url", bench.server.issuer.url, "--api-key-file", key])
        #expect(await bench.run("token", "work").exit == .done)
        #expect(await bench.run("profile", "edit", "work", "--api-key-file", other).exit == .done)
        #expect(await bench.run("token", "work", "--json").errorCode == "api_key_refused")
        #expect(await bench.run("profile", "edit", "work", "--api-key-file", key).exit == .done)
        #expect(await bench.run("token", "work").exit == .done)

        let first = developerToken(days: 30)
        let file = try bench.harness.write(first + "\n", to: "developer.token")
        let flags = ["--provider", "niantic", "--flow", "developer-token", "--token-file", file]
        _ = await bench.run(["profile", "add", "dev"] + flags)
        #expect(await bench.run("token", "dev").output == first + "\n")
        let second = developerToken(days: 60)
        try bench.harness.write(second + "\n", to: "developer.token")
        #expect(await bench.run("token", "dev").output == second + "\n")
        await bench.server.stop()
    }

    /// A developer token with a life of so many days, which began ten days ago.
    private func developerToken(days: Int64) -> String {
        let now = SystemTime().now.wall.seconds
        let claims: JSONObject = [
            "iss": "scaniverse", "sub": "org-1", "iat": .integer(now - 10 * 86_400),
            "exp": .integer(now + (days - 10) * 86_400),
        ]
        let header: JSONObject = ["alg": "RS256"]
        return [header.serialized(), claims.serialized(), [1, 2, 3]].map { Base64URL.encode($0) }
            .joined(separator: ".")
    }

    @Test func `a developer token is handed out, not refreshed, and its end is shown`() async throws {
        let bench = try await bench()
        let token = developerToken(days: 30)
        let path = try bench.harness.write(token + "\n", to: "developer.token")
        #expect(await add(bench, "developer-token", ["--token-file", path]).exit == .done)
        #expect(await bench.run("token", "work").output == token + "\n")
        let refresh = await bench.run("refresh", "work")
        #expect(refresh.exit == .done && refresh.messages.contains("is not one that is refreshed"))
        let status = await bench.run("status", "work", "--json").json
        let left = status?["tokens"]?.array?.first?["expires_in"]?.int64 ?? 0
        #expect(left > 19 * 86_400 && left <= 20 * 86_400)
        #expect(bench.statistics.exchanges.isEmpty)
        await bench.server.stop()
    }

    @Test func `a developer token that has ended needs a person, one that is none needs mending`() async throws {
        let bench = try await bench()
        let path = try bench.harness.write(developerToken(days: 9) + "\n", to: "developer.token")
        _ = await add(bench, "developer-token", ["--token-file", path])
        let ended = await bench.run("refresh", "work", "--json")
        #expect(ended.exit == .signInNeeded && ended.errorCode == "developer_token_ended")
        try bench.harness.write("placeholder\n", to: "developer.token")
        let none = await bench.run("token", "work", "--json")
        #expect(none.exit == .configuration && none.errorCode == "invalid_developer_token")
        await bench.server.stop()
    }

    @Test func `an own back end is asked with the fields of a file`() async throws {
        let bench = try await bench()
        let fields = try bench.harness.write("Authorization: Bearer dev-backend-token\n", to: "fields")
        let url = bench.server.issuer.url + "/api/access-token"
        let flags = ["--backend-url", url, "--backend-header-file", fields, "--backend-method", "POST"]
        #expect(await add(bench, "backend", flags).exit == .done)
        #expect(await bench.run("token", "work").exit == .done)
        #expect(bench.statistics.backendTokensMade == 1)
        try bench.harness.write("Authorization: Bearer another\n", to: "fields")
        #expect(await bench.run("refresh", "work").exit == .configuration)
        _ = await bench.run("profile", "edit", "work", "--backend-token-field", "token")
        try bench.harness.write("Authorization: Bearer dev-backend-token\n", to: "fields")
        #expect(await bench.run("refresh", "work").exit == .protocolViolation)
        await bench.server.stop()
    }

    @Test(arguments: [
        ["--flow", "service-account"], ["--flow", "developer-token"], ["--flow", "backend"],
        ["--backend-url", "https://app.example/token"], ["--issuer", "https://issuer.example"], ["--client-id", "x"],
        ["--flow", "backend", "--backend-url", "https://app.example/token", "--identity-url", "https://id.example"],
        ["--flow", "other"],
    ])
    func `flags of another flow or provider, or missing ones, are usage`(_ flags: [String]) async throws {
        let harness = try CommandHarness()
        let added = await harness.run(["profile", "add", "work", "--provider", "niantic"] + flags)
        #expect(added.exit == .usage)
        #expect(harness.text(of: "config.json") == nil)
    }

    @Test(arguments: [
        ["--identity-url", "http://id.example"], ["--sign-in-url", "nonsense"], ["--redirect-type", "my-app"],
        ["--redirect-type", "https", "--allow-redirect-type", "https"],
        ["--flow", "service-account", "--api-key-file", "missing"],
    ])
    func `values that cannot work are configuration`(_ flags: [String]) async throws {
        let harness = try CommandHarness()
        let added = await harness.run(["profile", "add", "work", "--provider", "niantic"] + flags)
        #expect(added.exit == .configuration, "\(added.messages)")
    }

    @Test func `niantic flags are none of an OpenID Connect profile's`() async throws {
        let harness = try CommandHarness()
        let flags = ["--issuer", "https://issuer.example", "--client-id", "x", "--flow", "sample"]
        #expect(await harness.run(["profile", "add", "work"] + flags).exit == .usage)
        _ = await harness.run("profile", "add", "work", "--issuer", "https://issuer.example", "--client-id", "x")
        #expect(await harness.run("profile", "edit", "work", "--redirect-type", "nsdk-external").exit == .usage)
    }

    @Test func `a profile is shown, edited and read back`() async throws {
        let harness = try CommandHarness()
        #expect(await harness.run("profile", "add", "nsdk", "--provider", "niantic").exit == .done)
        let flags = ["--redirect-type", "my-app", "--allow-redirect-type", "my-app"]
        #expect(await harness.run(["profile", "edit", "nsdk"] + flags).exit == .done)
        let shown = await harness.run("profile", "show", "nsdk", "--json").json
        #expect(shown?["provider"]?.string == "niantic" && shown?["redirect_type"]?.string == "my-app")
        #expect(shown?["allow_redirect_type"]?.array == ["my-app"])
        #expect(await harness.run("userinfo", "nsdk").exit == .configuration)
        let other = await harness.run("profile", "edit", "nsdk", "--redirect-type", "other-app")
        #expect(other.exit == .configuration && other.messages.contains("add --allow-redirect-type other-app"))
    }

    @Test func `a claim that names the user goes before those that usually do`() throws {
        let profile = Profile(provider: "niantic", values: ["user-id-claim": ["https://app.example/uid"]])
        let provider = try NianticProfile(profile).provider(
            transport: AbsentTransport(),
            authorities: nil,
            allowsAccountSwitch: false,
            insecureFileModes: false,
            confirm: { _ in .cancel },
            refused: { _ in }
        )
        guard case .niantic(let provider) = provider else {
            Issue.record("not the sample sign-in's provider")
            return
        }
        #expect(provider.configuration.userIDClaims == ["https://app.example/uid"] + AuthInfo.usualUserIDClaims)
    }

    @Test func `a base and its endpoint are one credential`() {
        let id = { (url: String?) in
            let values = url.map { ["identity-url": [$0]] } ?? [:]
            return ProfileBuilder.credentialID("work", Profile(provider: "niantic", values: values))
        }
        #expect(id("https://id.example") == id("https://id.example/oauth/token"))
        #expect(id("https://id.example/") == id("https://id.example"))
        #expect(id(nil) == id("https://spatial-identity.nianticspatial.com"))
        #expect(id(nil) != id("https://id.example"))
    }
}
