import AuthKitCore
import Testing

@testable import authkit_cli

/// Messages about tokens and keys name the reason and what to do.
@Suite struct JOSEMessageTests {
    private static let repeated = #"{"alg":"none","a":1,"a":2}"#

    private static func token(_ header: String, _ payload: String) -> String {
        Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8)) + ".AA"
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "the same name twice (at byte 7)"),
        (String(repeating: "[", count: 2000), "nested too deeply"),
        ("{\"a\":" + String(repeating: "[", count: 2000), "nested too deeply"), ("[]", "not a JSON object"),
        (#"{"a":"\ud800"}"#, "surrogate"), (#"{"a":}"#, "the syntax is wrong (at byte 5)"), ("", "not a JSON object"),
    ])
    func `claims that cannot be used are told why`(_ payload: String, _ reason: String) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let token = try await harness.sign(payload, ["--raw"])
        let refused = await harness.run(["jwt", "verify", "--key", "key.jwk"], input: token)
        #expect(refused.messages.hasPrefix("error: malformed_claims: "))
        #expect(refused.messages.contains(reason))
        let shown = await harness.run(["jwt", "decode"], input: token)
        #expect(shown.exit == .done)
        #expect(shown.messages.contains("base64url") && shown.messages.contains(reason))
        let plain = await harness.run(["jwt", "decode"], input: try await harness.sign("{}"))
        #expect(!plain.messages.contains("base64url"))
    }

    @Test func `a header that cannot be used is told why`() async throws {
        let outcome = try await CommandHarness().run(["jwt", "decode"], input: Self.token(Self.repeated, "{}"))
        #expect(outcome.exit == .badData)
        #expect(outcome.messages.contains("the same name twice"))
    }

    @Test(arguments: [
        ("none", "algorithm none"), ("es256", "algorithm es256"), ("ML-DSA-44", "algorithm ML-DSA-44"),
        ("eyJhbGciOiJFUzI1NiJ9x", "algorithm is"), ("a b", "algorithm is"), ("", "algorithm is"),
    ])
    func `an algorithm that is not supported is named where it has a name's form`(
        _ name: String,
        _ words: String
    ) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let token = Self.token(#"{"alg":"\#(name)"}"#, "{}")
        let outcome = await harness.run(["jwt", "verify", "--key", "key.jwk"], input: token)
        #expect(outcome.messages.hasPrefix("error: unsupported_algorithm: "))
        #expect(outcome.messages.contains("The token's \(words)"))
    }

    @Test(arguments: [
        (["--at", "0", "--alg", "RS256"], "algorithm_not_allowed"), ([], "expired"),
        (["--at", "0", "--audience", "x"], "wrong_audience"), (["--at", "0", "--expect-issuer", "x"], "wrong_issuer"),
    ])
    func `a refusal says what to do next`(_ flags: [String], _ code: String) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let token = try await harness.sign(#"{"exp":1000,"aud":"a","iss":"i"}"#)
        let outcome = await harness.verify(token, "--key", "key.jwk", more: flags)
        #expect(outcome.errorCode == code)
        let message = try #require(outcome.json?["error"]?["message"]?.string)
        #expect([": get", "; ask", "; check", "; allow"].contains(where: message.contains), "\(message)")
    }

    @Test func `a bad signature points to the keys`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        try await harness.makeKey("ES256", "other.jwk")
        let outcome = await harness.verify(try await harness.sign("{}"), "--key", "other.jwk")
        #expect(outcome.errorCode == "bad_signature")
        #expect(outcome.json?["error"]?["message"]?.string?.contains("check that they are its issuer's") == true)
    }

    @Test(arguments: [
        (#"{"kty":"oct","k":1}"#, "k must be a string"), (#"{"kty":"oct"}"#, "has no k"),
        (#"{"kty":"oct","k":"\#(String(repeating: "A", count: 20_000))"}"#, "k is longer"),
        (#"{"kty":"EC","crv":"P-256","x":"","y":""}"#, "x is empty"),
        (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "length that P-256"),
        (#"{"kty":"EC","kty":"EC"}"#, "the same name twice"), ("0\u{3}\u{2}\u{1}\u{0}", "DER"), ("0", "neither"),
        ("x", "neither"), (#"{"keys":[]}"#, "--jwks"),
    ])
    func `a key that cannot be used is told why`(_ text: String, _ reason: String) async throws {
        let harness = try CommandHarness()
        try harness.write(text, to: "key.jwk")
        let outcome = await harness.run(["jwt", "verify", "--key", "key.jwk"], input: "a.b.c")
        #expect(outcome.exit == .badData)
        #expect(outcome.messages.contains(reason), "\(outcome.messages)")
    }

    @Test func `PEM text that is cut off or damaged is told how`() async throws {
        let harness = try CommandHarness()
        let key = await harness.run("jwk", "generate", "Ed25519").output
        let pem = await harness.run(["jwk", "convert", "-", "--to", "pem"], input: key).output
        let lines = pem.split(separator: "\n").map(String.init)
        let text = { (body: String, end: String) in "\(lines[0])\n\(body)\n\(end)\n" }
        let cases: [(String, String)] = [
            ("\(lines[0])\n\(lines[1])", "no END line"),
            (text("*" + lines[1], lines[2]), "not base64"),
            (text(lines[1], "-----END X-----"), "does not belong"),
            (text(String(lines[1].dropLast(8)), lines[2]), "cut off"),
            (pem + pem, "exactly one key"),
            (String(pem.dropFirst(4)), "neither"),
        ]
        for (text, reason) in cases {
            let outcome = await harness.run(["jwk", "public", "-"], input: text)
            #expect(outcome.exit == .badData)
            #expect(outcome.messages.contains(reason), "\(reason): \(outcome.messages)")
        }
    }

    @Test func `an RSA key without its primes has no PEM text, and its user is told`() async throws {
        let harness = try CommandHarness()
        var key = try #require(await harness.run("jwk", "generate", "RSA").json?.object)
        for name in ["p", "q", "dp", "dq", "qi"] { key[name] = nil }
        let text = String(decoding: key.serialized(), as: UTF8.self)
        let outcome = await harness.run(["jwk", "convert", "-", "--to", "pem"], input: text)
        #expect(outcome.exit == .configuration)
        #expect(outcome.messages.contains("without its primes"))
    }

    @Test func `one key is not taken for a set`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let pem = await harness.run("jwk", "convert", "key.jwk", "--to", "pem").output
        try harness.write(pem, to: "key.pem")
        for file in ["key.jwk", "key.pem"] {
            let outcome = await harness.run(["jwt", "verify", "--jwks", file], input: "a.b.c")
            #expect(outcome.exit == .badData)
            #expect(outcome.messages.contains("name it by --key"))
        }
    }

    @Test(arguments: [
        #"{"alg":"RSA-OAEP"}"#, #"{"enc":"A128GCM"}"#, #"{"zip":"DEF"}"#, #"{"kid":5}"#, #"{"cty":{}}"#,
    ])
    func `a header that cannot be written is the header's fault`(_ header: String) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("A128KW")
        let words = ["jwt", "encrypt", "--key", "key.jwk", "--enc", "A128GCM", "--header", header]
        let outcome = await harness.run(words, input: "x")
        #expect(outcome.exit == .usage)
        #expect(outcome.messages.contains("--header") && !outcome.messages.contains("key.jwk"))
    }

    @Test func `a payload that is too large is the payload's fault`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("A128KW")
        let words = ["jwt", "encrypt", "--key", "key.jwk", "--enc", "A128GCM", "--json"]
        let outcome = await harness.run(words, input: String(repeating: "x", count: 1 << 20))
        #expect(outcome.exit == .badData)
        #expect(outcome.errorCode == "too_large")
        #expect(!outcome.output.contains("key.jwk"))
    }
}
