import AuthKitCore
import ProviderOIDC
import Testing

@testable import authkit_cli

@Suite struct FailureReportTests {
    struct Odd: Error {
        let secret = "hush"
    }

    @Test func `an error as JSON has the form that scripts rely on`() throws {
        let failure = CommandFailure(
            .tryAgain,
            "slow_down",
            "Wait.",
            remedy: .retry(after: .milliseconds(1500)),
            issuerError: OAuthErrorBody(error: "e", description: "d", uri: "https://u.example")
        )
        let expected: JSONValue = [
            "error": [
                "code": "slow_down", "message": "Wait.", "remedy": "retry", "retry_after": 2,
                "issuer_error": ["error": "e", "error_description": "d", "error_uri": "https://u.example"],
            ]
        ]
        #expect(ErrorDocument.value(failure) == expected)
    }

    @Test(arguments: [
        (Remedy.signInAgain, "sign_in_again"), (.fixConfiguration, "fix_configuration"), (.retry(after: nil), "retry"),
    ])
    func `each remedy has its word, and no time unless one is known`(_ remedy: Remedy, _ word: String) {
        let value = ErrorDocument.value(CommandFailure(.software, "c", "m", remedy: remedy))
        #expect(value["error"]?["remedy"]?.string == word)
        #expect(value["error"]?["retry_after"] == nil)
        #expect(value["error"]?["issuer_error"] == nil)
    }

    @Test func `a store in a read-only place says why it cannot be read, and other failures stay as they are`() {
        let readOnly = StoreError(.cannotCreate, "x")
        let failure = CommandFailure(describing: StoreOpening.failure(readOnly, opening: "/media/store.db"))
        #expect(failure.exit == .cannotCreate)
        #expect(failure.code == "cannot_create")
        #expect(failure.message.contains("/media/store.db") && failure.message.contains("even reading it"))
        let loose = StoreOpening.failure(StoreError(.loosePermissions, "run: chmod"), opening: "/media/store.db")
        #expect((loose as? StoreError)?.detail == "run: chmod")
    }

    @Test func `store errors have the exit codes of the contract`() {
        let exits: [(StoreError.Code, ExitCode)] = [
            (.busy, .tryAgain), (.conflict, .tryAgain), (.cannotCreate, .cannotCreate), (.full, .inputOutput),
            (.inputOutput, .inputOutput), (.loosePermissions, .configuration), (.wrongOwner, .configuration),
            (.unsupportedPlace, .cannotCreate), (.corrupt, .badData), (.unavailable, .unavailable),
            (.untrusted, .protocolViolation), (.misconfigured, .configuration),
        ]
        for (code, exit) in exits {
            #expect(CommandFailure(describing: StoreError(code, "x")).exit == exit, "\(code)")
        }
    }

    @Test func `vault errors are configuration, except for what was tampered with`() {
        #expect(CommandFailure(describing: VaultError(.wrongKey, "x")).exit == .configuration)
        #expect(CommandFailure(describing: VaultError(.keyUnavailable, "x")).exit == .configuration)
        #expect(CommandFailure(describing: VaultError(.tampered, "x")).exit == .badData)
        let other = CommandFailure(describing: VaultError(.otherHeader, "x"))
        #expect(other.exit == .badData && other.remedy == .fixConfiguration)
    }

    @Test func `session errors ask for a sign-in, a retry or a look at the disk`() {
        #expect(CommandFailure(describing: SessionError(.signedOut, "x")).exit == .signInNeeded)
        #expect(CommandFailure(describing: SessionError(.timedOut, "x")).exit == .signInNeeded)
        #expect(CommandFailure(describing: SessionError(.busy, "x")).exit == .tryAgain)
        #expect(CommandFailure(describing: SessionError(.saveFailed, "x")).exit == .inputOutput)
    }

    @Test func `a server that is away is 69, one that limits the rate is 75`() {
        let away = TransportError(.cannotConnect, delivery: .notSent, detail: "x")
        #expect(CommandFailure(describing: away).exit == .unavailable)
        let limited = OIDCError(.unavailable, "x", remedy: .retry(after: .seconds(3)))
        #expect(CommandFailure(describing: limited).exit == .tryAgain)
        let unavailable = OIDCError(.unavailable, "x", remedy: .retry(after: nil))
        #expect(CommandFailure(describing: unavailable).exit == .unavailable)
    }

    @Test func `a broken protocol or a certificate that is not trusted is 76`() {
        let token = OIDCError(.invalidIDToken, "x", remedy: .fixConfiguration)
        #expect(CommandFailure(describing: token).exit == .protocolViolation)
        let certificate = TransportError(.tlsFailed, delivery: .notSent, detail: "x")
        #expect(CommandFailure(describing: certificate).exit == .protocolViolation)
    }

    @Test func `a refusal is 77`() {
        let refused = OIDCError(.refused, "x", remedy: .signInAgain)
        #expect(CommandFailure(describing: refused).exit == .signInNeeded)
    }

    @Test func `an error that nobody knows is ours, and its contents are not shown`() {
        let failure = CommandFailure(describing: Odd())
        #expect(failure.exit == .software)
        #expect(!failure.message.contains("hush"))
    }

    @Test func `a usage error is JSON too, and 64`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run("--json", "lgoin")
        #expect(outcome.exit == .usage)
        #expect(outcome.errorCode == "usage")
        #expect(outcome.messages.isEmpty)
    }

    @Test func `without JSON an error goes to standard error alone`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run("profile", "show", "--quiet")
        #expect(outcome.output.isEmpty)
        #expect(outcome.messages.hasPrefix("error: "))
    }

    @Test func `standard output that cannot be written is 74, told on standard error`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run(["--version"], sink: RecordingSink(isBroken: true))
        #expect(outcome.exit == .inputOutput)
        let json = await harness.run(["profile", "list", "--json"], sink: RecordingSink(isBroken: true))
        #expect(json.exit == .inputOutput)
        #expect(json.messages.contains("error:"))
    }

    @Test func `control characters from outside never reach the terminal`() {
        let sink = RecordingSink(isTerminal: true)
        let console = Console(sink: sink, style: .init(colours: true))
        console.report(CommandFailure(.unavailable, "x", "a\u{1B}[31mb\u{9B}c\u{202E}d\re\u{7}"))
        let tail = sink.messages.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
        #expect(!tail.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (127..<160).contains($0.value) })
        #expect(!tail.unicodeScalars.contains("\u{202E}"))
        #expect(sink.messages.hasPrefix("\u{1B}[31merror:"))
    }

    @Test(arguments: [
        (["NO_COLOR": "1"], true, false), (["CLICOLOR_FORCE": "1"], false, true), ([:], true, true),
        ([:], false, false),
        (["TERM": "dumb"], true, false), (["CLICOLOR_FORCE": "0"], false, false),
    ])
    func `colours follow the terminal unless a variable says otherwise`(
        _ variables: [String: String],
        _ isTerminal: Bool,
        _ wanted: Bool
    ) {
        let environment = Environment(variables: variables)
        #expect(Console.wantsColours(environment, isTerminal: isTerminal) == wanted)
    }
}
