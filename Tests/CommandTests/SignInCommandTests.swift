import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing
import TransportCurl

@testable import authkit_cli

/// Whole commands against the development issuer, in one process.
@Suite struct SignInCommandTests {
    /// A home with a profile at a running issuer.
    struct Bench: Sendable {
        let server: DevServer
        let harness: CommandHarness

        static func start(
            _ flags: [String] = [],
            options: DevIssuerOptions = .init(),
            variables: [String: String] = [:]
        ) async throws -> Bench {
            let server = try await DevServer.start(options: options)
            let harness = try CommandHarness(variables)
            let added = await harness.run(
                ["profile", "add", "work", "--issuer", server.issuer.url, "--client-id", "dev"] + flags
            )
            #expect(added.exit == .done)
            return Bench(server: server, harness: harness)
        }

        func run(
            _ arguments: [String],
            input: any LineInput = TextInput(text: ""),
            sink: RecordingSink = RecordingSink(),
            variables: [String: String]? = nil
        ) async -> CommandHarness.Outcome {
            let surroundings = Surroundings(
                environment: Environment(variables: variables ?? harness.variables),
                sink: sink,
                input: input,
                time: SystemTime(),
                workingDirectory: harness.home,
                transport: { CurlTransport() }
            )
            let exit = await CommandRunner().run(arguments, in: surroundings)
            return .init(exit: exit, output: sink.output, messages: sink.messages)
        }

        func run(_ arguments: String...) async -> CommandHarness.Outcome { await run(arguments) }

        /// Signs in by pasting the address that the issuer sends the browser to.
        func login(_ more: String...) async -> CommandHarness.Outcome { await login(more) }

        func login(_ more: [String]) async -> CommandHarness.Outcome {
            let sink = RecordingSink()
            return await run(
                ["login", "--json", "--callback-url", "-", "--timeout", "20"] + more,
                input: BrowsingInput(sink: sink),
                sink: sink
            )
        }
    }

    /// Plays the person: opens the announced URL and gives back where it leads.
    struct BrowsingInput: LineInput {
        let sink: RecordingSink
        var change: @Sendable (String) -> String = { $0 }

        func line(limit: Int) async throws -> String {
            change(try await Self.follow(try #require(Self.announced(in: sink))))
        }

        func everything(limit: Int) async throws -> [UInt8] { [] }

        static func announced(in sink: RecordingSink) -> String? {
            sink.messages.split(separator: "\n").map { $0.trimmingSpaces() }.first { $0.hasPrefix("http") }
        }

        static func follow(_ url: String) async throws -> String {
            let answer = try await CurlTransport().send(HTTPRequest("GET", try #require(WebURL(url))))
            return try #require(answer.fields.first(named: "location"))
        }
    }

    @Test func `a login prints two events and stores a token that is then printed`() async throws {
        let bench = try await Bench.start()
        let login = await bench.login()
        #expect(login.exit == .done)
        let events = login.output.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
        #expect(events.compactMap { $0["event"]?.string } == ["authorization_url", "signed_in"])
        #expect(events.last?["profile"]?.string == "work")
        #expect(events.last?["subject"]?.string == "user-alice")
        #expect(events.last?["expires_at"]?.string?.hasSuffix("Z") == true)
        let token = await bench.run("token", "--format", "json").json
        #expect(token?["token_type"]?.string == "Bearer")
        #expect(token?["refreshed"]?.bool == false)
        let raw = await bench.run("token").output.trimmingSpaces()
        #expect(raw == token?["access_token"]?.string)
        #expect(await bench.run("token", "--format", "header").output == "Authorization: Bearer \(raw)\n")
        #expect(await bench.run("token", "--format", "env").output == "AUTHKIT_ACCESS_TOKEN=\(raw)\n")
        #expect(await bench.run("token", "--id-token").output.split(separator: ".").count == 3)
        await bench.server.stop()
        // A fresh token needs no server.
        #expect(await bench.run("token").output.trimmingSpaces() == raw)
    }

    @Test func `a URL of another sign-in ends a pasted login with 76, a text with 65`() async throws {
        let bench = try await Bench.start()
        let sink = RecordingSink()
        let wrong = BrowsingInput(sink: sink) { $0.split(separator: "state=")[0] + "state=other" }
        let outcome = await bench.run(["login", "--callback-url", "-", "--timeout", "20"], input: wrong, sink: sink)
        #expect(outcome.exit == .protocolViolation)
        let text = await bench.run(
            ["login", "--callback-url", "-", "--timeout", "20"],
            input: TextInput(text: "hello")
        )
        #expect(text.exit == .badData)
        #expect(await bench.run("token").exit == .signInNeeded)
        await bench.server.stop()
    }

    @Test func `a private-use answer is handed over, and one of a stranger ends nothing`() async throws {
        let bench = try await Bench.start(["--redirect-uri", "dev.authkit.example:/callback"])
        #expect(await bench.run("callback", "dev.authkit.example:/callback?code=x&state=y").exit == .negative)
        let sink = RecordingSink()
        async let login = bench.run(["login", "--no-browser", "--timeout", "30", "--json"], sink: sink)
        while BrowsingInput.announced(in: sink) == nil { await Task.yield() }
        let url = try await BrowsingInput.follow(try #require(BrowsingInput.announced(in: sink)))
        #expect(await bench.run("callback", "dev.authkit.example:/callback?code=x&state=y").exit == .protocolViolation)
        #expect(await bench.run("callback", "other.example:/callback?state=y").exit == .protocolViolation)
        #expect(await bench.run("callback", "nonsense").exit == .badData)
        #expect(await bench.run(["callback", "-"], input: TextInput(text: url + "\n")).exit == .done)
        #expect(await login.exit == .done)
        #expect(await bench.run("callback", url).exit == .negative)
        #expect(Directory.names(in: bench.harness.home).allSatisfy { !$0.hasSuffix(".sock") })
        await bench.server.stop()
    }

    @Test func `a socket of a login that was killed is passed over and removed`() async throws {
        let bench = try await Bench.start(["--redirect-uri", "dev.authkit.example:/callback"])
        let stale = bench.harness.home + "/login-0000000000000000-00000000000000ff-00000000.sock"
        do {
            _ = try UnixSocket.listening(at: stale)
        }
        #expect(FileStatus(stale)?.kind == .socket)
        #expect(await bench.run("callback", "dev.authkit.example:/callback?state=y").exit == .negative)
        #expect(FileStatus(stale) == nil)
        await bench.server.stop()
    }

    @Test func `status and list say what is held, and when the next refresh is`() async throws {
        let bench = try await Bench.start()
        #expect(await bench.run("status", "--json").json?["state"]?.string == "needs_sign_in")
        #expect(await bench.run("list", "--json").json?.array?.isEmpty == true)
        _ = await bench.login()
        let status = await bench.run("status", "--json").json
        #expect(status?["state"]?.string == "signed_in")
        #expect(status?["subject"]?.string == "user-alice")
        let kinds = status?["tokens"]?.array?.compactMap { $0["kind"]?.string }
        #expect(kinds == ["access", "refresh", "id"])
        #expect(status?["last_error"] == .null)
        let list = await bench.run("list", "--json").json?.array
        #expect(list?.count == 1)
        #expect(list?.first?["tokens"] == nil)
        #expect(list?.first?["expires_at"]?.string != nil)
        #expect(await bench.run("status").output.contains("signed in"))
        await bench.server.stop()
    }

    @Test(arguments: [(3600, 3540), (50, 0), (60, 0), (61, 1)])
    func `the next refresh is a minute before the end or little more, and not before now`(
        _ lifetime: Int,
        _ wait: Int
    ) async throws {
        var options = DevIssuerOptions()
        options.accessTokenLifetime = .seconds(lifetime)
        let bench = try await Bench.start(options: options)
        let start = Date.now
        _ = await bench.login()
        let middle = Date.now
        let next = try #require(await bench.run("status", "--json").json?["next_refresh_at"]?.string)
        let due = try Date(next, strategy: .iso8601)
        // Whole seconds are written; the token counts from some moment of the login; what is due together is spread by
        // a tenth of the minute.
        #expect(due >= start.addingTimeInterval(Double(wait) - 1 - 6))
        #expect(due <= (wait == 0 ? Date.now : middle.addingTimeInterval(Double(wait))).addingTimeInterval(1))
        await bench.server.stop()
    }

    @Test func `refresh brings another token, and userinfo is about the person`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        let before = await bench.run("token").output
        #expect(await bench.run("refresh", "--json").json?["refreshed"]?.bool == true)
        #expect(await bench.run("token").output != before)
        let claims = await bench.run("userinfo", "--json").json
        #expect(claims?["sub"]?.string == "user-alice")
        await bench.server.stop()
    }

    @Test func `sign-out leaves a tombstone, and a second one is done as well`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        let logout = await bench.run("logout", "--json", "--non-interactive")
        #expect(logout.exit == .done)
        #expect(logout.json?["state"]?.string == "signed_out")
        #expect(logout.json?["end_session_url"]?.string?.contains("id_token_hint") == false)
        #expect(await bench.run("status", "--json").json?["state"]?.string == "signed_out")
        #expect(await bench.run("token", "--json").errorCode == "signed_out")
        #expect(await bench.run("logout").exit == .done)
        await bench.server.stop()
    }

    @Test func `a server that is away keeps no tokens here and is told`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        await bench.server.stop()
        let logout = await bench.run("logout", "--json", "--non-interactive")
        #expect(logout.exit == .unavailable)
        #expect(logout.errorCode == "revocation_failed")
        #expect(await bench.run("token").exit == .signInNeeded)
    }

    @Test func `a refresh that fails for now leaves the stored token, unless more life was asked for`() async throws {
        var options = DevIssuerOptions()
        options.accessTokenLifetime = .seconds(50)
        let bench = try await Bench.start(options: options)
        _ = await bench.login()
        await bench.server.stop()
        // Fifty seconds are fewer than the sixty that count when nothing is asked for.
        let usual = await bench.run("token")
        #expect(usual.exit == .done)
        #expect(usual.messages.contains("warning:"))
        #expect(await bench.run("token", "--min-ttl", "55").exit == .unavailable)
        #expect(await bench.run("token", "--min-ttl", "5").exit == .done)
        #expect(await bench.run("refresh").exit == .unavailable)
    }

    @Test func `a new token that lives shorter than asked is printed with a warning`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        let outcome = await bench.run("token", "--min-ttl", "5000", "--json")
        #expect(outcome.exit == .done)
        #expect(outcome.json?["refreshed"]?.bool == true)
        #expect(outcome.messages.contains("warning:"))
        await bench.server.stop()
    }

    @Test func `a login that nobody finishes ends at its deadline and changes nothing`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        let before = await bench.run("token").output
        let outcome = await bench.run("login", "--no-browser", "--timeout", "0.3", "--json")
        #expect(outcome.exit == .signInNeeded)
        #expect(await bench.run("token").output == before)
        await bench.server.stop()
    }

    @Test func `a store is not made by asking what is in it`() async throws {
        let bench = try await Bench.start()
        for command in ["status", "list", "token", "refresh", "logout"] { _ = await bench.run(command) }
        #expect(FileStatus(bench.harness.home + "/store.db") == nil)
        #expect(FileStatus(bench.harness.home + "/store.key") == nil)
        await bench.server.stop()
    }

    @Test func `a wrong key is configuration and leaves the store`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        let key = bench.harness.text(of: "store.key")
        try bench.harness.write(String(repeating: "A", count: 43) + "\n", to: "store.key")
        let outcome = await bench.run("token", "--json")
        #expect(outcome.exit == .configuration)
        #expect(outcome.errorCode == "wrong_key")
        try bench.harness.write(key ?? "", to: "store.key")
        #expect(await bench.run("token").exit == .done)
        await bench.server.stop()
    }

    @Test func `a trace has numbered steps and no secret`() async throws {
        let bench = try await Bench.start()
        let sink = RecordingSink()
        let input = BrowsingInput(sink: sink)
        let outcome = await bench.run(["login", "--trace", "--callback-url", "-"], input: input, sink: sink)
        #expect(outcome.exit == .done)
        #expect(outcome.messages.contains("[1] "))
        #expect(outcome.messages.contains("check passed: "))
        let token = await bench.run("token").output.trimmingSpaces()
        #expect(!outcome.messages.contains(token))
        let parts = outcome.messages.split(separator: "code=").dropFirst()
        #expect(!parts.isEmpty && parts.allSatisfy { $0.hasPrefix("<redacted>") })
        await bench.server.stop()
    }

    @Test func `the doctor finds nothing wrong after a login`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        let checks = await bench.run("doctor", "--json").json?["checks"]?.array
        let broken = checks?.filter { $0["state"]?.string == "broken" }
        #expect(checks?.count == 9)
        #expect(broken?.isEmpty == true)
        await bench.server.stop()
    }
}
