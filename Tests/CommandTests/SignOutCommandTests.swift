import AuthKitCore
import AuthKitDevServer
import Testing
import TransportCurl

@testable import authkit_cli

@Suite struct SignOutCommandTests {
    typealias Bench = SignInCommandTests.Bench

    private func get(_ url: String) async throws -> HTTPResponse {
        try await CurlTransport().send(HTTPRequest("GET", try #require(WebURL(url))))
    }

    @Test func `the browser comes back with the state that it was sent off with, or waiting goes on`() async throws {
        let bench = try await Bench.start(["--post-logout-redirect-uri", "http://127.0.0.1:0/signed-out"])
        _ = await bench.login()
        let script = "#!/bin/sh\nprintf %s \"$1\" > \"$HOME/url.new\" && mv \"$HOME/url.new\" \"$HOME/url\"\n"
        var variables = bench.harness.variables
        variables["BROWSER"] = try bench.harness.write(script, to: "browser", mode: 0o700)
        async let logout = bench.run(["logout"], variables: variables)

        while bench.harness.text(of: "url") == nil { await Task.yield() }
        let sent = try await get(try #require(bench.harness.text(of: "url"))).fields.first(named: "location")
        let parameters = try #require(sent.flatMap { WebURL($0) }?.queryParameters)
        let back = try #require(parameters.first { $0.name == "post_logout_redirect_uri" }?.value)
        let state = try #require(parameters.first { $0.name == "state" }?.value)
        #expect(try await get(back).status == 400)
        #expect(try await get("\(back)?state=other").status == 400)
        #expect(try await get("\(back)?state=\(state)").status == 200)

        let outcome = await logout
        #expect(outcome.exit == .done)
        #expect(outcome.messages.contains("The browser was sent to the issuer, which has ended the session there."))
        await bench.server.stop()
    }

    @Test func `signing out of everything says so when there is nothing`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run("logout", "--all")
        #expect(outcome.exit == .done)
        #expect(outcome.messages.contains("there is nothing to remove"))
        #expect(await harness.run("logout", "--all", "--json").json == .array([]))
    }

    @Test func `a session whose end cannot be asked for is named beside the tokens that were not revoked`() async throws
    {
        var options = DevIssuerOptions()
        options.faults = [try Fault(parsing: "discovery:503*")]
        let bench = try await Bench.start(options: options)
        let issuer = bench.server.issuer.url
        let endpoints = [
            "--authorization-endpoint", issuer + "/authorize", "--token-endpoint", issuer + "/token",
            "--jwks-uri", issuer + "/jwks",
        ]
        #expect(await bench.run(["profile", "edit", "work"] + endpoints).exit == .done)
        #expect(await bench.login().exit == .done)
        #expect(await bench.run("profile", "edit", "work", "--unset", "jwks-uri").exit == .done)
        let outcome = await bench.run("logout", "--json", "--non-interactive")
        #expect(outcome.exit == .unavailable)
        let message = outcome.json?["error"]?["message"]?.string
        #expect(message?.contains("was not revoked") == true)
        #expect(message?.contains("the session of work at the issuer may go on") == true)
        await bench.server.stop()
    }

    @Test func `a client without a secret that may not revoke is not told to check one`() async throws {
        var options = DevIssuerOptions()
        options.faults = [try Fault(parsing: "revoke:error=invalid_client*")]
        let bench = try await Bench.start(options: options)
        _ = await bench.login()
        let outcome = await bench.run("logout", "--json", "--non-interactive")
        #expect(outcome.exit == .unavailable)
        let message = outcome.json?["error"]?["message"]?.string
        #expect(message?.contains("does not let clients without a secret revoke") == true)
        #expect(message?.contains("check client identifier and secret") == false)
        await bench.server.stop()
    }

    @Test func `a client with a secret is told to check it`() async throws {
        var options = DevIssuerOptions()
        options.faults = [try Fault(parsing: "revoke:error=invalid_client*")]
        let bench = try await Bench.start(options: options)
        try bench.harness.write("dev-secret\n", to: "secret")
        let edit = ["profile", "edit", "work", "--client-id", "dev-conf", "--client-secret-file", "secret"]
        #expect(await bench.run(edit).exit == .done)
        _ = await bench.login()
        let message = await bench.run("logout", "--json", "--non-interactive").json?["error"]?["message"]?.string
        #expect(message?.contains("check client identifier and secret") == true)
        await bench.server.stop()
    }
}
