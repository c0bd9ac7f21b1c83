import AuthKitCore
import Testing

@testable import authkit_cli

/// What a token's maker wrote does not act on the terminal of who looks at it.
@Suite struct TerminalOutputTests {
    private static let acting = "\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{7F}\u{2028}"
    private static let claims = "{\"a\":\"\(acting.replacing("\u{1B}", with: "").replacing("\u{7}", with: ""))ä\"}\r\n"

    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n" || scalar == "\r"
            case .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    /// Runs a command before a terminal, and before a pipe.
    private static func outputs(
        _ harness: CommandHarness,
        _ words: [String],
        _ input: String
    ) async -> (terminal: String, pipe: String) {
        let terminal = await harness.run(words, input: input, sink: RecordingSink(isDataTerminal: true))
        return (terminal.output, await harness.run(words, input: input).output)
    }

    @Test func `claims are shown with escapes, and piped as they are`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let token = try await harness.sign(Self.claims)
        for words in [
            ["jwt", "verify", "--key", "key.jwk"], ["jwt", "verify", "--key", "key.jwk", "--signature-only"],
            ["jwt", "decode", "--json"],
        ] {
            let (terminal, pipe) = await Self.outputs(harness, words, token)
            #expect(Self.isHarmless(terminal) && !Self.isHarmless(pipe), "\(words)")
            #expect(try JSONValue(parsing: Array(terminal.utf8)) == JSONValue(parsing: Array(pipe.utf8)))
            #expect(terminal.contains(#"\u009b31m\u202e\u007f\u2028ä"#))
        }
        let pipe = await Self.outputs(harness, ["jwt", "verify", "--key", "key.jwk"], token).pipe
        #expect(pipe == Self.claims)
    }

    @Test func `so are bytes of any kind, decrypted texts and the lines of a batch`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let raw = try await harness.sign(Self.acting, ["--raw"])
        let (terminal, pipe) = await Self.outputs(
            harness,
            ["jwt", "verify", "--key", "key.jwk", "--signature-only"],
            raw
        )
        #expect(Self.isHarmless(terminal) && terminal.hasPrefix(#"\u001b]0;x\u0007"#) && pipe == Self.acting)
        try await harness.makeKey("A128KW", "shared.jwk")
        let words = ["jwt", "encrypt", "--key", "shared.jwk", "--enc", "A128GCM"]
        let token = await harness.run(words, input: Self.acting).output
        let decrypted = await Self.outputs(harness, ["jwt", "decrypt", "--key", "shared.jwk"], token)
        #expect(Self.isHarmless(decrypted.terminal) && decrypted.pipe == Self.acting)
        let line = "{\"id\":\"\u{9B}\u{202E}\"}\n"
        let batch = await Self.outputs(harness, ["jwt", "verify", "--batch", "-"], line)
        #expect(Self.isHarmless(batch.terminal) && !Self.isHarmless(batch.pipe))
    }
}
