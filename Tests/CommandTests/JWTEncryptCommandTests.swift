import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct JWTEncryptCommandTests {
    private static let encryptions = ContentEncryption.all.map(\.name)

    private static func encrypt(
        _ payload: String,
        _ harness: CommandHarness,
        _ flags: String...
    ) async -> CommandHarness.Outcome {
        await harness.run(["jwt", "encrypt", "--json"] + flags, input: payload)
    }

    private static func decrypt(
        _ token: String?,
        _ harness: CommandHarness,
        _ flags: String...
    ) async -> CommandHarness.Outcome {
        await harness.run(["jwt", "decrypt", "--json", "--key", "key.jwk"] + flags, input: token ?? "")
    }

    /// What `--json` has of a content.
    private static func payload(_ outcome: CommandHarness.Outcome) -> String? {
        let bytes = outcome.json?["payload"]?.string.flatMap { try? Base64URL.decode($0) }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        "RSA-OAEP", "RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW", "A128KW", "A192KW",
        "A256KW",
    ])
    func `what is encrypted for a key is decrypted with it`(_ algorithm: String) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey(algorithm)
        let isShared = algorithm.hasPrefix("A")
        if !isShared { try harness.write(await harness.run("jwk", "public", "key.jwk").output, to: "public.jwk") }
        for encryption in Self.encryptions {
            let key = isShared ? "key.jwk" : "public.jwk"
            let token = await Self.encrypt("text\n", harness, "--key", key, "--enc", encryption).json?["token"]?.string
            let outcome = await Self.decrypt(token.map { $0 + "\n" }, harness)
            #expect(outcome.exit == .done)
            #expect(Self.payload(outcome) == "text\n")
            #expect(outcome.json?["header"]?["enc"]?.string == encryption)
            let narrow = await Self.decrypt(token, harness, "--enc", encryption == "A128GCM" ? "A256GCM" : "A128GCM")
            #expect(narrow.errorCode == "algorithm_not_allowed")
        }
    }

    @Test(arguments: encryptions)
    func `a shared key may be the content's own`(_ encryption: String) async throws {
        let harness = try CommandHarness()
        try await harness.makeKey(encryption)
        let token = await Self.encrypt("text", harness, "--key", "key.jwk").json?["token"]?.string
        #expect(await Self.decrypt(token, harness, "--alg", "dir").json?["payload"] == "dGV4dA")
        #expect(await Self.decrypt(token, harness, "--alg", "A128KW").errorCode == "algorithm_not_allowed")
    }

    @Test func `X25519 and PEM text encrypt too`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("X25519")
        let half = await harness.run("jwk", "public", "key.jwk").output
        try harness.write(
            await harness.run(["jwk", "convert", "-", "--to", "pem"], input: half).output,
            to: "public.pem"
        )
        let outcome = await Self.encrypt("text", harness, "--key", "public.pem", "--alg", "ECDH-ES", "--enc", "A256GCM")
        let plain = await harness.run(
            ["jwt", "decrypt", "--key", "key.jwk"],
            input: outcome.json?["token"]?.string ?? ""
        )
        #expect(plain.output == "text")
    }

    @Test func `every failure of decryption is one`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("RSA-OAEP")
        try await harness.makeKey("RSA-OAEP", "other.jwk")
        let made = await Self.encrypt("text", harness, "--key", "other.jwk", "--enc", "A128GCM")
        let token = try #require(made.json?["token"]?.string)
        let outcome = await Self.decrypt(token, harness)
        #expect(outcome.exit == .negative)
        #expect(outcome.errorCode == "decryption_failed")
        #expect(await Self.decrypt("a.b.c", harness).errorCode == "malformed")
        let plain = await harness.run(["jwt", "decrypt", "--key", "key.jwk"], input: token)
        #expect(plain.messages.hasPrefix("error: decryption_failed: "))
        #expect(plain.output.isEmpty)
    }

    @Test func `a signed token goes in without its newline and is verified when it comes out`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256", "signer.jwk")
        try await harness.makeKey("ECDH-ES")
        let signed = try await harness.sign("{}", with: "signer.jwk")
        let made = await Self.encrypt(
            signed + "\n",
            harness,
            "--key",
            "key.jwk",
            "--enc",
            "A128GCM",
            "--header",
            #"{"cty":"JWT"}"#
        )
        let inner = try #require(Self.payload(await Self.decrypt(made.json?["token"]?.string, harness)))
        #expect(inner == signed)
        #expect(await harness.verify(inner, "--key", "signer.jwk").output == "{}")
    }

    @Test func `what is not said or cannot be is refused`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("RSA")
        let run = { (flags: String...) in
            await harness.run(["jwt", "encrypt", "--json", "--key", "key.jwk"] + flags, input: "x")
        }
        #expect(await run("--enc", "A128GCM").exit == .usage)
        #expect(await run("--alg", "RSA-OAEP").exit == .usage)
        #expect(await run("--alg", "RSA1_5", "--enc", "A128GCM").exit == .usage)
        #expect(await run("--alg", "RSA-OAEP", "--enc", "A128CBC").exit == .usage)
        let wrong = await run("--alg", "A128KW", "--enc", "A128GCM")
        #expect(wrong.exit == .configuration)
        #expect(wrong.errorCode == "key_mismatch")
        #expect(
            await run("--alg", "RSA-OAEP", "--enc", "A128GCM", "--header", #"{"zip":"DEF"}"#).errorCode == "usage"
        )
        try harness.write(await harness.run("jwk", "public", "key.jwk").output, to: "public.jwk")
        let locked = await harness.run(["jwt", "decrypt", "--key", "public.jwk", "--json"], input: "a.b.c.d.e")
        #expect(locked.errorCode == "key_mismatch")
    }
}
