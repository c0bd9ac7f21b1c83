import AuthKitCore
import AuthKitDevServer
import Testing

@testable import authkit_cli

@Suite struct DevServerCommandTests {
    @Test(arguments: [
        "consent", "access_token", "alg", "key_for_each_alg", "code_lifetime", "access_token_lifetime",
        "id_token_lifetime", "refresh_token_lifetime", "grace", "rotate", "requires_offline_access",
        "publish_retired_keys", "path", "faults", "users", "clients",
        "niantic",
    ])
    func `help names each key of a script`(_ key: String) async throws {
        let help = await (try CommandHarness()).run("dev-server", "--help").output
        let words = help.split { !$0.isLetter && $0 != "_" }
        #expect(words.contains { $0 == key })
        // Known to the reader: a wrong value is refused by what it should be.
        let error = #expect(throws: DevServerError.self) {
            _ = try DevServerScript(parsing: Array("{\"\(key)\": -1}".utf8))
        }
        #expect(error?.description.contains("no such key") == false)
    }

    @Test func `help has what a profile needs`() async throws {
        let help = await (try CommandHarness()).run("dev-server", "--help").output
        for client in DevIssuerOptions().clients {
            #expect(help.contains("`\(client.id)`"))
            if let secret = client.secret { #expect(help.contains("`\(secret.reveal())`")) }
        }
        for user in DevIssuerOptions().users { #expect(help.contains(user.name)) }
    }
}
