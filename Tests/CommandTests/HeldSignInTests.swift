import AuthKitCore
import AuthKitDevServer
import Testing

@testable import authkit_cli

/// Profiles that somebody is signed in to, and what is left when they change.
@Suite struct HeldSignInTests {
    typealias Bench = SignInCommandTests.Bench

    @Test(arguments: [
        ["profile", "edit", "work", "--client-id", "dev-conf"], ["profile", "remove", "work"],
        ["profile", "add", "work", "--replace", "--issuer", "https://other.example", "--client-id", "dev"],
    ])
    func `a change that would orphan a sign-in is refused, and logout or force lets it pass`(
        _ command: [String]
    ) async throws {
        let bench = try await Bench.start()
        #expect(await bench.login().exit == .done)
        let refused = await bench.run(command + ["--json"])
        #expect(refused.exit == .configuration)
        #expect(refused.errorCode == "signed_in")
        #expect(refused.json?["error"]?["message"]?.string?.contains("authkit logout work") == true)
        #expect(await bench.run("token").exit == .done)
        #expect(await bench.run("profile", "edit", "work", "--login-hint", "x").exit == .done)

        #expect(await bench.run(command + ["--force"]).exit == .done)
        let list = await bench.run("list", "--json").json?.array
        #expect(list?.first?["orphaned"]?.bool == true)
        #expect(list?.first?["state"]?.string == "signed_in")
        #expect(await bench.run("list").output.contains("signed_in (no profile)"))
        let logout = await bench.run("logout", "work", "--non-interactive")
        #expect(logout.exit == .unavailable)
        #expect(logout.messages.contains("no profile names \(bench.server.issuer.url)"))
        #expect(await bench.run("list", "--json").json?.array?.first?["state"]?.string == "signed_out")
        await bench.server.stop()
    }

    @Test func `after a sign-out the client may change`() async throws {
        let bench = try await Bench.start()
        #expect(await bench.login().exit == .done)
        #expect(await bench.run("list", "--json").json?.array?.first?["orphaned"] == nil)
        #expect(await bench.run("logout", "--non-interactive").exit == .done)
        #expect(await bench.run("profile", "edit", "work", "--client-id", "other").exit == .done)
        await bench.server.stop()
    }
}
