import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct JWTVerifyCommandTests {
    static let claims = #"{"iss":"https://issuer.example","aud":["a","b"],"exp":1000,"nonce":"n","at_hash":"x"}"#

    /// A home with a key, and a token of the claims above.
    private static func signed(
        _ claims: String = claims,
        kind: String = "ES256",
        more: [String] = []
    ) async throws -> (CommandHarness, String) {
        let harness = try CommandHarness()
        try await harness.makeKey(kind)
        return (harness, try await harness.sign(claims, more))
    }

    @Test(arguments: [
        "RSA", "P-256", "P-384", "P-521", "secp256k1", "Ed25519", "Ed448", "HS256", "HS384", "HS512", "PS512",
    ])
    func `a token is printed as it was signed`(_ kind: String) async throws {
        let (harness, token) = try await Self.signed(kind: kind)
        let outcome = await harness.verify(token + "\n", "--key", "key.jwk", "--at", "999.5")
        #expect(outcome.exit == .done)
        #expect(outcome.output == Self.claims)
        let late = await harness.verify(token, "--key", "key.jwk")
        #expect(late.exit == .negative)
        #expect(late.errorCode == "expired")
    }

    @Test func `the token may be an argument, which is then hidden from other processes`() async throws {
        let (harness, token) = try await Self.signed()
        let erased = Guarded<[String]>([])
        let sink = RecordingSink()
        var surroundings = harness.surroundings(sink: sink)
        surroundings.eraseArgument = { text in erased.withLock { $0.append(text) } }
        let words = ["jwt", "verify", token, "--key", "key.jwk", "--at", "0"]
        #expect(await CommandRunner().run(words, in: surroundings) == .done)
        #expect(sink.output == Self.claims)
        #expect(erased.withLock { $0 } == [token])
    }

    @Test func `one final newline is lost and nothing else`() async throws {
        let (harness, token) = try await Self.signed()
        #expect(await harness.verify(token + "\n", "--key", "key.jwk", "--at", "0").exit == .done)
        for text in ["\(token)\n\n", "\(token)\r\n", " \(token)", "\(token) ", "\n\(token)", "", "\n", ".", ".."] {
            let outcome = await harness.verify(text, "--key", "key.jwk", "--at", "0")
            #expect(outcome.exit == .negative, "\(text.debugDescription)")
            #expect(outcome.errorCode == "malformed")
        }
        #expect(await harness.run("jwt", "verify", "", "--key", "key.jwk", "--json").errorCode == "malformed")
    }

    @Test func `the reason's code goes to standard error for people, and the payload nowhere`() async throws {
        let (harness, token) = try await Self.signed()
        let outcome = await harness.run(["jwt", "verify", "--key", "key.jwk"], input: token)
        #expect(outcome.exit == .negative)
        #expect(outcome.output.isEmpty)
        #expect(outcome.messages.hasPrefix("error: expired: "))
        let large = await harness.verify(String(repeating: "a", count: 1 << 20 + 1), "--key", "key.jwk")
        #expect(large.exit == .negative)
        #expect(large.errorCode == "too_large")
    }

    @Test(
        arguments: [
            (["--audience", "b"], nil), (["--audience", "c"], "wrong_audience"),
            (["--expect-issuer", "https://issuer.example"], nil),
            (["--expect-issuer", "https://issuer.exampl"], "wrong_issuer"),
            (["--nonce", "n"], nil), (["--nonce", "m"], "wrong_nonce"),
            (["--typ", "at+jwt"], nil), (["--typ", "JWT"], "wrong_type"),
            (["--require-exp"], nil), (["--at", "1059.9"], nil), (["--at", "1060"], "expired"),
            (["--at", "1000", "--clock-skew", "0"], "expired"), (["--at", "1358", "--clock-skew", "359"], nil),
            (["--alg", "RS256, ES256"], nil), (["--alg", "RS256"], "algorithm_not_allowed"),
            (["--alg", ""], "algorithm_not_allowed"), (["--alg", "none,es256"], "algorithm_not_allowed"),
            (["--access-token-file", "at"], "wrong_hash"),
        ] as [([String], String?)]
    )
    func `each check is made when it is asked for`(_ flags: [String], _ code: String?) async throws {
        let (harness, token) = try await Self.signed(more: ["--header", #"{"typ":"at+jwt"}"#])
        try harness.write("token\n", to: "at")
        let at = flags.contains("--at") ? [] : ["--at", "0"]
        let outcome = await harness.run(["jwt", "verify", "--json", "--key", "key.jwk"] + flags + at, input: token)
        #expect(outcome.exit == (code == nil ? .done : .negative))
        #expect(outcome.errorCode == code)
    }

    @Test func `what is asked for must be there`() async throws {
        let (harness, token) = try await Self.signed("{}", more: ["--header", #"{"typ":null}"#])
        try harness.write("token", to: "at")
        #expect(await harness.verify(token, "--key", "key.jwk").exit == .done)
        for flags in [
            ["--audience", "a"], ["--expect-issuer", "a"], ["--nonce", "a"], ["--require-exp"],
            ["--access-token-file", "at"],
        ] {
            let outcome = await harness.run(["jwt", "verify", "--json", "--key", "key.jwk"] + flags, input: token)
            #expect(outcome.errorCode == "missing_claim", "\(flags)")
        }
        #expect(await harness.verify(token, "--key", "key.jwk", "--typ", "JWT").errorCode == "wrong_type")
    }

    @Test func `the access token is the one that at_hash is of`() async throws {
        // OpenID Connect Core §3.3.2.11: the left half of the SHA-256 digest.
        let hash = Base64URL.encode(Array(SHA256.digest(Array("ya29".utf8)).prefix(16)))
        let (harness, token) = try await Self.signed(#"{"at_hash":"\#(hash)"}"#)
        try harness.write("ya29\n", to: "right")
        try harness.write("ya29\n\n", to: "wrong")
        #expect(await harness.verify(token, "--key", "key.jwk", "--access-token-file", "right").exit == .done)
        let wrong = await harness.verify(token, "--key", "key.jwk", "--access-token-file", "wrong")
        #expect(wrong.errorCode == "wrong_hash")
    }

    @Test func `with the signature alone the payload may be anything`() async throws {
        let harness = try CommandHarness()
        try harness.write(EdDSAExample.publicKey, to: "public.jwk")
        let plain = await harness.verify(EdDSAExample.token, "--key", "public.jwk")
        #expect(plain.errorCode == "malformed_claims")
        let alone = await harness.verify(EdDSAExample.token, "--key", "public.jwk", "--signature-only")
        #expect(alone.exit == .done)
        #expect(alone.output == EdDSAExample.payload)
        let narrow = await harness.verify(EdDSAExample.token, "--key", "public.jwk", "--signature-only", "--alg", "")
        #expect(narrow.errorCode == "algorithm_not_allowed")
        let changed = EdDSAExample.token.dropLast(2) + "AQ"
        #expect(
            await harness.verify(String(changed), "--key", "public.jwk", "--signature-only").errorCode
                == "bad_signature"
        )
        for flag in [
            "--audience=a", "--expect-issuer=a", "--typ=a", "--nonce=a", "--require-exp", "--access-token-file=a",
            "--at=0", "--clock-skew=1",
        ] {
            let outcome = await harness.verify(EdDSAExample.token, "--key", "public.jwk", "--signature-only", flag)
            #expect(outcome.exit == .usage, "\(flag)")
        }
    }

    @Test(arguments: [
        ["--clock-skew", "360"], ["--clock-skew", "-1"], ["--at", "soon"], ["--at", "1e400"],
        ["--at", "9007199254740993"],
        ["--at", ""], ["--jwks", "set.json"], ["--issuer", "https://issuer.example"], ["--batch", "-"],
    ])
    func `what makes no sense is 64`(_ flags: [String]) async throws {
        let (harness, token) = try await Self.signed()
        let outcome = await harness.run(["jwt", "verify", "--json", "--key", "key.jwk"] + flags, input: token)
        #expect(outcome.exit == .usage)
    }

    @Test func `without a key, or with more than one place of keys, it is 64`() async throws {
        let (harness, token) = try await Self.signed()
        #expect(await harness.verify(token).exit == .usage)
        #expect(await harness.verify(token, "--audience", "a").exit == .usage)
    }

    @Test func `a file without a usable key is bad data, not a bad token`() async throws {
        let (harness, token) = try await Self.signed()
        try harness.write("{}", to: "empty.jwk")
        try harness.write(#"{"keys":[]}"#, to: "set.json")
        try harness.write("-----BEGIN PUBLIC KEY-----\n", to: "broken.pem")
        for file in ["empty.jwk", "set.json", "broken.pem"] {
            let outcome = await harness.verify(token, "--key", file, "--at", "0")
            #expect(outcome.exit == .badData, "\(file)")
            #expect(outcome.errorCode == "malformed")
        }
        #expect(await harness.run("jwt", "verify", token, "--key", "set.json").messages.contains("--jwks"))
        #expect(await harness.verify(token, "--key", "absent").exit == .inputOutput)
    }

    @Test func `the help names every code`() async throws {
        let help = try await CommandHarness().run("jwt", "verify", "--help").output
        let words = Set(help.split { !$0.isLetter && $0 != "_" }.map(String.init))
        for code in JWTError.Code.all.map(\.description) + ["bad_request"] { #expect(words.contains(code), "\(code)") }
    }
}
