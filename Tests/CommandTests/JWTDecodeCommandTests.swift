import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct JWTDecodeCommandTests {
    private static func token(_ header: String, _ payload: String) -> String {
        Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8)) + ".AA"
    }

    @Test func `header and claims are shown, marked unverified`() async throws {
        let token = Self.token(#"{"alg":"none"}"#, #"{"sub":"me"}"#)
        let outcome = try await CommandHarness().run(["jwt", "decode", "--json"], input: token + "\n")
        #expect(outcome.exit == .done)
        #expect(outcome.json == ["verified": false, "header": ["alg": "none"], "claims": ["sub": "me"]])
        let plain = try await CommandHarness().run("jwt", "decode", token)
        #expect(plain.output.contains("\"verified\": false"))
        #expect(plain.messages.hasPrefix("Unverified"))
    }

    @Test func `a payload that is no object is shown in base64url, and of an encrypted token the header`() async throws
    {
        let harness = try CommandHarness()
        let raw = await harness.run(["jwt", "decode", "--json"], input: EdDSAExample.token)
        #expect(raw.json?["payload"]?.string == Base64URL.encode(Array(EdDSAExample.payload.utf8)))
        #expect(raw.json?["claims"] == nil)
        try await harness.makeKey("A128KW")
        let encrypted = await harness.run(["jwt", "encrypt", "--key", "key.jwk", "--enc", "A128GCM"], input: "x").output
        let outcome = await harness.run(["jwt", "decode", "--json"], input: encrypted)
        #expect(outcome.json?["encrypted"] == true)
        #expect(outcome.json?["header"]?["enc"] == "A128GCM")
    }

    @Test func `nothing in a token acts on the terminal`() async throws {
        let token = Self.token(#"{"alg":"ES256"}"#, "{\"a\":\"\u{9B}31m\u{202E}\u{7F}\u{2028}\u{E0001}ä\"}")
        let outcome = try await CommandHarness().run(["jwt", "decode"], input: token)
        #expect(outcome.output.contains(#""\u009b31m\u202e\u007f\u2028\udb40\udc01ä""#))
        let value = try JSONValue(parsing: Array(outcome.output.utf8))
        #expect(value["claims"]?["a"]?.string == "\u{9B}31m\u{202E}\u{7F}\u{2028}\u{E0001}ä")
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "a.b.c.d.e", "e30.e30.", "{}"])
    func `what is no token is bad data`(_ text: String) async throws {
        let outcome = try await CommandHarness().run(["jwt", "decode", "--json"], input: text)
        #expect(outcome.exit == .badData)
        #expect(outcome.errorCode == "malformed")
    }
}
