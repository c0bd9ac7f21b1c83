import AuthKitCore
import Testing

@testable import authkit_cli

/// Whatever is typed where it does not belong, no message shows a secret.
@Suite struct SecretArgumentTests {
    // RFC 7515 Appendix A.1
    private static let sharedSecret =
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
    private static let address = "https://user:hunter2hunter2@host.example/keys"
    // RFC 8410 §10.3
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
        -----END PRIVATE KEY-----
        """
    static let secrets = [
        EdDSAExample.token, "Bearer " + EdDSAExample.token, String(EdDSAExample.token.dropLast(100)),
        EdDSAExample.privateKey, #"{"kty":"oct","k":"\#(sharedSecret)"}"#, pem, address,
    ]

    /// Whether twenty characters of a secret stand in a text in a row.
    private static func shows(_ text: String, _ secret: String) -> Bool {
        let characters = Array(secret)
        return text.contains("hunter2")
            || stride(from: 0, through: characters.count - 12, by: 8).contains { start in
                text.contains(String(characters[start..<start + 12]))
            }
    }

    private static func check(
        _ words: [String],
        _ secret: String,
        in harness: CommandHarness,
        _ location: SourceLocation = #_sourceLocation
    ) async {
        let outcome = await harness.run(words, input: "a.b.c")
        #expect(!shows(outcome.messages + outcome.output, secret), "\(words[0])", sourceLocation: location)
        #expect(outcome.exit != .done && outcome.exit != .software, sourceLocation: location)
    }

    private static func checkParsing(_ words: [String], _ secret: String) {
        let error = #expect(throws: UsageError.self) { try ArgumentParser(CommandTable.all).parse(words) }
        #expect(!shows(error?.message ?? "", secret), "\(words[0])")
    }

    @Test(arguments: secrets + [sharedSecret])
    func `an unexpected word, command or flag is named by its kind`(_ secret: String) {
        Self.checkParsing([secret], secret)
        Self.checkParsing(["jwt", secret], secret)
        Self.checkParsing(["--" + secret], secret)
        for shape in CommandTable.all {
            Self.checkParsing(shape.words + ["--" + secret], secret)
            Self.checkParsing(shape.words + ["-" + secret], secret)
            let operands = shape.operands.map { operand in
                if case .words(let words) = operand.completion { words[0] } else { "x" }
            }
            Self.checkParsing(shape.words + operands + [secret], secret)
            for flag in shape.flags {
                guard case .choice = flag.value else { continue }
                Self.checkParsing(shape.words + operands + ["--" + flag.name, secret], secret)
            }
        }
    }

    @Test func `a failure as JSON shows no secret either`() async throws {
        let harness = try CommandHarness()
        for secret in Self.secrets {
            await Self.check(["jwt", "decode", "Bearer", secret, "--json"], secret, in: harness)
            await Self.check(["jwt", "sign", "--json", "--key", secret], secret, in: harness)
            await Self.check(["status", "--json", "--config", secret], secret, in: harness)
        }
    }

    @Test(arguments: secrets + [sharedSecret])
    func `a secret as the value of any flag, or as an operand, is in no message`(_ secret: String) async throws {
        let harness = try CommandHarness()
        for shape in CommandTable.all where ["jwt", "jwk"].contains(shape.words[0]) {
            let operands = shape.operands.filter { !$0.isOptional }.map { $0.name == "FILE" ? "-" : "EC" }
            // A kid is data, and a file may be called anything.
            let flags = shape.flags.filter { $0.takesValue && $0.name != "kid" }
            for flag in flags where flag.name != "out" || secret != Self.sharedSecret {
                await Self.check(shape.words + operands + ["--" + flag.name, secret], secret, in: harness)
            }
            if !operands.isEmpty {
                await Self.check(
                    shape.words + [secret] + (shape.name == "jwk convert" ? ["--to", "pem"] : []),
                    secret,
                    in: harness
                )
            }
        }
    }

    @Test(arguments: secrets)
    func `a secret in place of a global value or a profile's is in no message`(_ secret: String) async throws {
        let harness = try CommandHarness()
        for flag in ["--config", "--store", "--timeout", "--key-source"] {
            await Self.check(["status", flag, secret], secret, in: harness)
            await Self.check(["status", "\(flag)=\(secret)"], secret, in: harness)
        }
        for shape in [["profile", "show"], ["status"], ["token"], ["logout"]] {
            await Self.check(shape + [secret], secret, in: harness)
        }
        for flag in ["--issuer", "--client-secret-file", "--redirect-uri", "--jwks-uri", "--id-token-alg"] {
            let words = ["profile", "add", "x", "--provider", "oidc", "--client-id", "c"]
            await Self.check(words + [flag, secret], secret, in: harness)
        }
    }

    @Test(arguments: [
        (["jwt", "sign", "--key"], "--key takes the name of a file, not a key"), (["jwk", "public"], "FILE takes"),
        (["jwt", "verify", "--jwks"], "--jwks takes"), (["jwk", "generate", "EC", "--out"], "--out takes"),
    ])
    func `a key where its file should be named is told so`(_ words: [String], _ sentence: String) async throws {
        let outcome = try await CommandHarness().run(words + [EdDSAExample.privateKey], input: "a.b.c")
        #expect(outcome.exit == .usage)
        #expect(outcome.messages.contains(sentence))
    }
}
