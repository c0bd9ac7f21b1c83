import AuthKitCore
import AuthKitDevServer
import Testing

@testable import authkit_cli

/// Which keys a token is checked with, and what they allow.
@Suite struct JWTKeySourceTests {
    /// The key of a home with other members, as JSON.
    private static func key(_ harness: CommandHarness, _ members: JSONObject = [:]) throws -> JSONObject {
        let text = try #require(harness.text(of: "key.jwk"))
        var object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
        for member in members.members { object[member.name] = member.value }
        return object
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }

    @Test(
        arguments: [
            ([:], nil), (["alg": "PS256"], "algorithm_not_allowed"), (["alg": "RSA-OAEP"], "key_mismatch"),
            (["use": "enc"], "key_mismatch"), (["use": "sig"], nil), (["key_ops": ["sign"]], "key_mismatch"),
            (["key_ops": ["verify"]], nil), (["kid": "other"], "key_not_found"), (["use": 5], "malformed"),
        ] as [(JSONObject, String?)]
    )
    func `a key's own members bind what it may check`(_ members: JSONObject, _ code: String?) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("RSA", "key.jwk", ["--kid", "k"])
        let token = try await harness.sign("{}")
        try harness.write(Self.text(.object(try Self.key(harness, members))), to: "changed.jwk")
        let outcome = await harness.verify(token, "--key", "changed.jwk")
        #expect(outcome.errorCode == code)
        #expect((outcome.exit == .done) == (code == nil))
    }

    @Test func `a public key is no shared secret`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("RSA", "key.jwk")
        try await harness.makeKey("HS256", "shared.jwk")
        let token = try await harness.sign("{}", with: "shared.jwk")
        #expect(await harness.verify(token, "--key", "key.jwk").errorCode == "algorithm_not_allowed")
        #expect(await harness.verify(token, "--key", "key.jwk", "--alg", "HS256").errorCode == "key_mismatch")
        // {"alg":"none"}
        let unsigned = "eyJhbGciOiJub25lIn0.e30."
        #expect(
            await harness.verify(unsigned, "--key", "key.jwk", "--alg", "none").errorCode == "unsupported_algorithm"
        )
    }

    @Test func `PEM text and a key without a kid are for tokens of any kid`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256", "key.jwk", ["--kid", "k"])
        let token = try await harness.sign("{}")
        let pem = await harness.run("jwk", "convert", "key.jwk", "--to", "pem").output
        try harness.write(pem, to: "private.pem")
        #expect(await harness.verify(token, "--key", "private.pem").exit == .done)
        let half = await harness.run(["jwk", "public", "-"], input: pem).output
        try harness.write(
            await harness.run(["jwk", "convert", "-", "--to", "pem"], input: half).output,
            to: "public.pem"
        )
        #expect(harness.text(of: "public.pem")?.contains("BEGIN PUBLIC KEY") == true)
        #expect(await harness.verify(token, "--key", "public.pem").exit == .done)
    }

    @Test func `a set names the key by its kid, and skips what cannot be used`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256", "key.jwk", ["--kid", "k"])
        let token = try await harness.sign("{}")
        let good = JSONValue.object(try Self.key(harness))
        let broken: JSONValue = ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "k"]
        try harness.write(Self.text(["keys": [broken, 5, ["kty": "new"], good]]), to: "set.json")
        #expect(await harness.verify(token, "--jwks", "set.json").exit == .done)
        let told = await harness.run(["jwt", "verify", "--jwks", "set.json", "--verbose"], input: token)
        #expect(told.messages.contains("3 keys"))
        try harness.write(#"{"keys":[]}"#, to: "empty.json")
        #expect(await harness.verify(token, "--jwks", "empty.json").errorCode == "key_not_found")
        try harness.write(Self.text(good), to: "single.json")
        let single = await harness.verify(token, "--jwks", "single.json")
        #expect(single.exit == .badData)
    }

    @Test func `an issuer's keys are found by discovery, and the issuer must be the token's`() async throws {
        let bench = try await SignInCommandTests.Bench.start()
        #expect(await bench.login().exit == .done)
        let token = await bench.run("token", "--id-token").output
        let issuer = bench.server.issuer.url
        let verify = { (flags: String...) in
            await bench.run(["jwt", "verify", "--json"] + flags, input: TextInput(text: token))
        }
        #expect(await verify("--issuer", issuer, "--audience", "dev").exit == .done)
        #expect(await verify("--issuer", issuer, "--audience", "other").errorCode == "wrong_audience")
        #expect(await verify("--issuer", issuer, "--expect-issuer", "other").errorCode == "wrong_issuer")
        #expect(await verify("--issuer", issuer, "--signature-only").exit == .done)
        let document = issuer + "/.well-known/openid-configuration"
        #expect(await verify("--issuer", document).exit == .done)
        #expect(await verify("--issuer", issuer + "/elsewhere").exit == .configuration)
        #expect(await verify("--jwks", issuer + "/jwks").exit == .done)
        #expect(await verify("--jwks", issuer + "/nowhere").errorCode == "key_set_unavailable")
        await bench.server.stop()
        let gone = await verify("--issuer", issuer)
        #expect(gone.exit == .unavailable)
    }

    /// An issuer that has nothing but its discovery document and its keys.
    private struct PublishingTransport: HTTPTransport {
        let issuer: String
        let keys: JSONValue

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let document: JSONValue = ["issuer": .string(issuer), "jwks_uri": .string(issuer + "/keys")]
            return HTTPResponse(
                status: 200,
                fields: [HTTPField("Content-Type", "application/json")],
                body: (request.url.path == "/keys" ? keys : document).serialized(),
                url: request.url,
                receivedAt: SystemTime().now
            )
        }
    }

    @Test(
        arguments: [
            (#"{"iss":"https://issuer.example"}"#, nil), ("{}", "missing_claim"),
            (#"{"iss":"https://issuer.example/"}"#, "wrong_issuer"),
        ] as [(String, String?)]
    )
    func `keys found by discovery are for tokens of that issuer only`(_ claims: String, _ code: String?) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let token = try await harness.sign(claims)
        let sink = RecordingSink()
        var surroundings = harness.surroundings(input: token, sink: sink)
        let key = try #require(await harness.run("jwk", "public", "key.jwk").json)
        let transport = PublishingTransport(issuer: "https://issuer.example", keys: ["keys": [key]])
        surroundings.transport = { transport }
        let words = ["jwt", "verify", "--json", "--issuer", "https://issuer.example"]
        let exit = await CommandRunner().run(words, in: surroundings)
        let outcome = CommandHarness.Outcome(exit: exit, output: sink.output, messages: sink.messages)
        #expect(outcome.errorCode == code)
        #expect(exit == (code == nil ? .done : .negative))
    }

    @Test func `keys are fetched over https only`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.verify("a.b.c", "--jwks", "HTTP://issuer.example/keys")
        #expect(outcome.exit == .configuration)
        #expect(outcome.errorCode == "insecure_url")
        #expect(await harness.verify("a.b.c", "--jwks", "https://").exit == .usage)
        #expect(await harness.verify("a.b.c", "--issuer", "http://issuer.example").exit == .configuration)
    }
}
