import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// What people and scripts are told of a sign-in and of what came of it.
@Suite struct SignInReportTests {
    typealias Bench = SignInCommandTests.Bench

    @Test(arguments: ["http://127.0.0.1:0/callback", "dev.authkit.example:/callback"])
    func `a browser that cannot be started is told once`(_ redirect: String) async throws {
        // No program of the machine's desktop may step in.
        let variables = ["BROWSER": "/nonexistent/browser", "PATH": "/nonexistent"]
        let bench = try await Bench.start(["--redirect-uri", redirect], variables: variables)
        let sink = RecordingSink()
        let login = Task { await bench.run(["login", "--timeout", "20", "--quiet"], sink: sink) }
        let sentence = "No browser could be started; open the address above."
        let deadline = ContinuousClock.now + .seconds(20)
        while !sink.messages.contains(sentence), ContinuousClock.now < deadline { await Task.yield() }
        login.cancel()
        #expect(await login.value.messages.components(separatedBy: sentence).count == 2)
        await bench.server.stop()
    }

    @Test func `an interrupted login says what is left`() async throws {
        let bench = try await Bench.start()
        func interrupted() async -> CommandHarness.Outcome {
            let sink = RecordingSink()
            let login = Task { await bench.run(["login", "--no-browser", "--timeout", "30"], sink: sink) }
            while SignInCommandTests.BrowsingInput.announced(in: sink) == nil { await Task.yield() }
            login.cancel()
            return await login.value
        }
        let first = await interrupted()
        #expect(first.exit == .signInNeeded)
        #expect(first.messages.contains("cancelled and nothing is stored; to sign in, run: authkit login work\n"))
        #expect(await bench.login().exit == .done)
        #expect(await interrupted().messages.contains("the login of work from before still stands"))
        #expect(await bench.run("token").exit == .done)
        await bench.server.stop()
    }

    @Test(arguments: [
        ("token:wrong-nonce", ExitCode.protocolViolation, "invalid_id_token", "sign in again"),
        ("token:expired", .protocolViolation, "invalid_id_token", "this machine's clock"),
        ("token:wrong-aud", .protocolViolation, "invalid_id_token", "check issuer and client identifier"),
        ("jwks:html*", .unavailable, "unavailable", "try again"),
    ])
    func `a refused ID token says what to do`(
        _ fault: String,
        _ exit: ExitCode,
        _ code: String,
        _ step: String
    )
        async throws
    {
        var options = DevIssuerOptions()
        options.faults = [try Fault(parsing: fault)]
        let bench = try await Bench.start(options: options)
        let outcome = await bench.login()
        #expect(outcome.exit == exit)
        #expect(outcome.errorCode == code)
        let message = try #require(outcome.json?["error"]?["message"]?.string)
        #expect(message.contains(step))
        #expect(message.hasSuffix(".") && !message.contains(". "))
        await bench.server.stop()
    }

    @Test func `an ID token as a header is a bearer token`() async throws {
        let bench = try await Bench.start()
        _ = await bench.login()
        let raw = await bench.run("token", "--id-token").output
        let header = await bench.run("token", "--id-token", "--format", "header").output
        #expect(header == "Authorization: Bearer \(raw)")
        await bench.server.stop()
    }

    @Test func `a refresh that answers for somebody else is 76`() async throws {
        var options = DevIssuerOptions()
        options.faults = [try Fault(parsing: "refresh:wrong-sub")]
        let bench = try await Bench.start(options: options)
        _ = await bench.login()
        #expect(await bench.run("refresh").exit == .protocolViolation)
        await bench.server.stop()
    }

    @Test func `status says refreshing while one is on its way, and what became of one that was killed`() async throws {
        let bench = try await TimeLimitTests.stalled(lifetime: 3600)
        let run = try ProcessTests.Run(bench.harness, ["refresh"])
        var state: String?
        while state != "refreshing", run.process.isRunning {
            state = await bench.run("status", "--json").json?["state"]?.string
        }
        #expect(state == "refreshing")
        #expect(await bench.run("list", "--json").json?.array?.first?["state"]?.string == "refreshing")
        #expect(kill(run.process.processIdentifier, SIGKILL) == 0)
        #expect(await run.end().reason == .uncaughtSignal)
        #expect(await bench.run("status", "--json").json?["state"]?.string == "signed_in")
        #expect(await bench.run("status").output.contains("cut short"))
        await bench.server.stop()
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted issuer ends by the signal and says nothing`(_ number: Int32) async throws {
        let run = try ProcessTests.Run(try CommandHarness(), ["dev-server", "--json"])
        #expect(await run.nextOutput().hasPrefix("{"))
        #expect(await run.waitForMessage("Running until it is interrupted"))
        #expect(kill(run.process.processIdentifier, number) == 0)
        #expect(await run.end() == (.uncaughtSignal, number))
        #expect(await run.nextOutput() == "")
    }
}
