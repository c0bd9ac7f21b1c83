import AuthKitCore
import AuthKitDevServer
import Testing

@testable import authkit_cli

/// What can be done about an answer that is none: the remedy says what the sentence says.
@Suite struct CallbackRemedyTests {
    typealias Bench = SignInCommandTests.Bench

    @Test func `a callback that is no URL may be handed over again`() async throws {
        for text in ["hello", ""] {
            let outcome = await (try CommandHarness()).run("callback", text, "--json")
            #expect(outcome.exit == .badData)
            #expect(outcome.errorCode == "malformed")
            #expect(outcome.json?["error"]?["remedy"]?.string == "retry")
        }
    }

    @Test(arguments: [("hello", "malformed"), ("http://127.0.0.1:1/x?code=a&state=b", "wrong_callback")])
    func `a wrong pasted answer asks for a new sign-in`(_ line: String, _ code: String) async throws {
        let bench = try await Bench.start()
        let login = ["login", "--json", "--callback-url", "-", "--timeout", "20"]
        let outcome = await bench.run(login, input: TextInput(text: line))
        #expect(outcome.errorCode == code)
        #expect(outcome.json?["error"]?["remedy"]?.string == "sign_in_again")
        await bench.server.stop()
    }
}
