import AuthKitCore
import Testing

@testable import authkit_cli

/// Keys and tokens for tests, made by the command itself.
extension CommandHarness {
    /// Generates a key into a file of this home.
    func makeKey(_ kind: String, _ name: String = "key.jwk", _ more: [String] = []) async throws {
        let outcome = await run(["jwk", "generate", kind, "--out", name] + more)
        try #require(outcome.exit == .done, "\(outcome.messages)")
    }

    /// Signs claims with a key of this home; returns the token.
    func sign(_ claims: String, with key: String = "key.jwk", _ more: [String] = []) async throws -> String {
        let outcome = await run(["jwt", "sign", "--key", key] + more, input: claims)
        try #require(outcome.exit == .done, "\(outcome.messages)")
        return String(outcome.output.dropLast())
    }

    /// Verifies a token that stands on standard input; a refusal is told as JSON.
    func verify(_ token: String, _ flags: String...) async -> Outcome {
        await run(["jwt", "verify", "--json"] + flags, input: token)
    }

    /// The same, with flags of a table behind those.
    func verify(_ token: String, _ flags: String..., more: [String]) async -> Outcome {
        await run(["jwt", "verify", "--json"] + flags + more, input: token)
    }

    /// Answers of a batch, a JSON object each.
    func batch(_ lines: String) async throws -> (exit: ExitCode, answers: [JSONValue]) {
        let outcome = await run(["jwt", "verify", "--batch", "-"], input: lines)
        let answers = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        return (outcome.exit, answers)
    }
}

/// The key and the token of RFC 8037 Appendix A.
enum EdDSAExample {
    static let publicKey = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
    static let privateKey = #"""
        {"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        """#
    static let thumbprint = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    static let payload = "Example of Ed25519 signing"
    static let token =
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
        + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
}
