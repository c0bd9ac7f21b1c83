import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct JWTSignCommandTests {
    @Test func `the token of RFC 8037 is made of its key and payload`() async throws {
        let harness = try CommandHarness()
        try harness.write(EdDSAExample.privateKey, to: "key.jwk")
        let outcome = await harness.run(["jwt", "sign", "--key", "key.jwk", "--raw"], input: EdDSAExample.payload)
        #expect(outcome.exit == .done)
        #expect(outcome.output == EdDSAExample.token + "\n")
    }

    private static func header(
        _ harness: CommandHarness,
        _ flags: [String],
        input: String = "{}"
    ) async throws -> JSONValue? {
        let token = try await harness.sign(input, flags)
        return await harness.run(["jwt", "decode", "--json"], input: token).json?["header"]
    }

    @Test func `the header has the algorithm, typ and kid, and what is given besides`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("RSA", "key.jwk", ["--kid", "k"])
        #expect(try await Self.header(harness, []) == ["alg": "RS256", "typ": "JWT", "kid": "k"])
        #expect(
            try await Self.header(harness, ["--alg", "PS384", "--raw"], input: "x") == ["alg": "PS384", "kid": "k"]
        )
        let given = #"{"typ":"at+jwt","kid":null,"x":[1]}"#
        #expect(try await Self.header(harness, ["--header", given]) == ["alg": "RS256", "typ": "at+jwt", "x": [1]])
        let named = try await Self.header(harness, ["--header", #"{"alg":"PS256"}"#])
        #expect(named?["alg"] == "PS256")
    }

    @Test(arguments: [
        ("RSA", "RS256"), ("PS512", "PS512"), ("P-384", "ES384"), ("P-521", "ES512"), ("secp256k1", "ES256K"),
        ("OKP", "EdDSA"), ("Ed448", "EdDSA"), ("oct", "HS256"), ("HS512", "HS512"),
    ])
    func `the algorithm is the key's own, or the usual one of its kind`(_ kind: String, _ name: String) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey(kind)
        #expect(try await Self.header(harness, [])?["alg"]?.string == name)
    }

    @Test(arguments: [
        ["--header", "[]"], ["--header", "x"], ["--header", #"{"alg":"ES384"}"#, "--alg", "ES256"],
        ["--header", #"{"alg":5}"#], ["--header", #"{"crit":["b64"],"b64":false}"#], ["--header", #"{"b64":true}"#],
        ["--alg", "none"], ["--alg", "es256"], ["--header", #"{"alg":"none"}"#],
    ])
    func `a header or algorithm that cannot be is 64`(_ flags: [String]) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("P-256")
        let outcome = await harness.run(["jwt", "sign", "--key", "key.jwk", "--json"] + flags, input: "{}")
        #expect(outcome.exit == .usage)
        #expect(outcome.json?["token"] == nil)
    }

    @Test func `claims are a JSON object, each name once`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("HS256")
        for claims in ["", "[]", "{", #"{"a":1,"a":2}"#, "{} x"] {
            let outcome = await harness.run(["jwt", "sign", "--key", "key.jwk", "--json"], input: claims)
            #expect(outcome.exit == .badData, "\(claims)")
            #expect(outcome.errorCode == "malformed_claims")
        }
        let claims = "{ \"a\" : 1e2 }\n"
        let token = try await harness.sign(claims)
        #expect(await harness.verify(token, "--key", "key.jwk").output == claims)
        let typed = await harness.run(
            ["jwt", "sign", "--key", "key.jwk", "--header", #"{"typ":5}"#, "--json"],
            input: "{}"
        )
        #expect(typed.errorCode == "usage")
    }

    @Test func `a key that cannot sign so is refused`() async throws {
        let harness = try CommandHarness()
        try harness.write(EdDSAExample.publicKey, to: "public.jwk")
        try await harness.makeKey("X25519", "agreement.jwk")
        try await harness.makeKey("ES256", "bound.jwk")
        try harness.write(#"{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAA"}"#, to: "short.jwk")
        let cases = [
            ("public.jwk", [], "key_mismatch"), ("agreement.jwk", [], "key_mismatch"),
            ("bound.jwk", ["--alg", "RS256"], "key_mismatch"), ("short.jwk", [], "weak_key"),
        ]
        for (file, flags, code) in cases {
            let outcome = await harness.run(["jwt", "sign", "--key", file, "--json"] + flags, input: "{}")
            #expect(outcome.exit == .configuration, "\(file)")
            #expect(outcome.errorCode == code)
        }
        #expect(await harness.run(["jwt", "sign"], input: "{}").exit == .usage)
    }

    @Test func `a private key that others can read is warned of, not refused`() async throws {
        let harness = try CommandHarness()
        try harness.write(EdDSAExample.privateKey, to: "key.jwk", mode: 0o644)
        let outcome = await harness.run(["jwt", "sign", "--key", "key.jwk"], input: "{}")
        #expect(outcome.exit == .done)
        #expect(outcome.messages.contains("chmod 600"))
        let quiet = await harness.run(["jwt", "sign", "--key", "key.jwk", "--quiet"], input: "{}")
        #expect(quiet.messages == outcome.messages)
        try harness.write(EdDSAExample.publicKey, to: "public.jwk", mode: 0o644)
        #expect(await harness.run("jwk", "thumbprint", "public.jwk").messages.isEmpty)
    }
}
