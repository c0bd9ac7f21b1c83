import AuthKitCore
import Foundation
import Testing

@testable import authkit_cli

@Suite struct ConfigurationFaultTests {
    private let valid = #"{"version":1,"default_profile":"a","profiles":{"a":{"provider":"oidc","client_id":"c"}}}"#

    private func outcome(_ text: String) async throws -> CommandHarness.Outcome {
        let harness = try CommandHarness()
        try harness.write(text, to: "config.json")
        return await harness.run("profile", "list", "--json")
    }

    @Test func `a file as it should be is read`() async throws {
        #expect(try await outcome(valid).exit == .done)
    }

    @Test(arguments: [
        (#"{"version":1,"profils":{}}"#, "profils"),
        (#"{"version":1,"profiles":{"a":{"provider":"oidc","clientid":"c"}}}"#, "profiles.a.clientid"),
    ])
    func `an unknown key is named with its file`(_ text: String, _ key: String) async throws {
        let outcome = try await outcome(text)
        #expect(outcome.exit == .configuration)
        #expect(outcome.errorCode == "unknown_key")
        let message = outcome.json?["error"]?["message"]?.string
        #expect(message?.contains("\"\(key)\"") == true)
        #expect(message?.contains("config.json") == true)
    }

    @Test(arguments: [
        "", "{", "[]", #"{}"#, #"{"version":2}"#, #"{"version":"1"}"#, #"{"version":1,"profiles":[]}"#,
        #"{"version":1,"default_profile":"a"}"#, #"{"version":1,"key_source":5}"#,
        #"{"version":1,"profiles":{"a":{}}}"#, #"{"version":1,"profiles":{"a":{"provider":"kindly"}}}"#,
        #"{"version":1,"profiles":{"a":{"provider":"oidc","redirect_uri":"x:/y"}}}"#,
        #"{"version":1,"profiles":{"a":{"provider":"oidc","max_age":"60"}}}"#,
        #"{"version":1,"profiles":{"a":{"provider":"oidc","client_auth":"tls"}}}"#,
        #"{"version":1,"version":1}"#,
    ])
    func `a file of another form is refused`(_ text: String) async throws {
        #expect(try await outcome(text).exit == .configuration)
    }

    @Test func `a file that others can read is refused with the command that mends it`() async throws {
        let harness = try CommandHarness()
        let path = try harness.write(valid, to: "config.json", mode: 0o644)
        let refused = await harness.run("profile", "list", "--json")
        #expect(refused.exit == .configuration)
        #expect(refused.errorCode == "loose_permissions")
        #expect(refused.json?["error"]?["message"]?.string?.contains("chmod 600 \(path)") == true)
        #expect(await harness.run("profile", "list", "--insecure-file-modes").exit == .done)
    }

    @Test func `a directory that others can read is refused with the command that mends it`() async throws {
        let harness = try CommandHarness()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: harness.home)
        let variables = harness.variables.merging(["HOME": "/nonexistent"]) { _, new in new }
        let refused = await harness.run(["profile", "list", "--json"], variables: variables)
        #expect(refused.json?["error"]?["message"]?.string?.contains("chmod 700 \(harness.home)") == true)
        #expect(refused.exit == .configuration)
    }

    @Test func `a home of another user is refused`() async throws {
        let harness = try CommandHarness()
        try harness.write(valid, to: "config.json")
        let surroundings = Surroundings(
            environment: Environment(variables: harness.variables, user: 54_321),
            sink: RecordingSink(),
            input: TextInput(text: ""),
            time: harness.time,
            transport: { RefusingTransport() }
        )
        #expect(await CommandRunner().run(["profile", "list"], in: surroundings) == .configuration)
    }

    @Test func `without any home the sentence says what to set`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run(["profile", "list", "--json"], variables: ["PATH": "/usr/bin"])
        #expect(outcome.exit == .configuration)
        #expect(outcome.errorCode == "no_home")
    }

    @Test func `without a profile the sentence says how to make one`() async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run("token", "--json")
        #expect(outcome.exit == .configuration)
        #expect(outcome.errorCode == "no_profile")
    }

    @Test func `an edit follows a link to the file and leaves the link`() async throws {
        let harness = try CommandHarness()
        let target = try harness.write(valid, to: "elsewhere.json")
        try FileManager.default.createSymbolicLink(
            atPath: harness.home + "/config.json",
            withDestinationPath: target
        )
        _ = await harness.run("profile", "add", "b", "--issuer", "https://b.example", "--client-id", "b")
        #expect(harness.text(of: "elsewhere.json")?.contains("b.example") == true)
        #expect(FileStatus(harness.home + "/config.json", followingLinks: false)?.kind == .other)
    }

    @Test func `an edit waits for the lock, but not for ever`() async throws {
        let time = HurriedTime()
        let harness = try CommandHarness(time: time)
        let path = try harness.write("", to: "config.json.lock")
        let lock = unsafe open(path, O_RDWR | O_CLOEXEC)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let add = ["profile", "add", "b", "--issuer", "https://b.example", "--client-id", "b", "--json"]
        let refused = await harness.run(add)
        #expect(refused.exit == .tryAgain)
        #expect(refused.errorCode == "busy")
        #expect(time.now.sinceBoot >= .seconds(10))
        close(lock)
        #expect(await harness.run(add).exit == .done)
    }

    @Test func `a failed edit leaves the file and nothing beside it`() async throws {
        let harness = try CommandHarness()
        try harness.write(valid, to: "config.json")
        _ = await harness.run("profile", "add", "a", "--issuer", "https://b.example", "--client-id", "b")
        #expect(harness.text(of: "config.json") == valid)
        #expect(Set(Directory.names(in: harness.home)) == ["config.json", "config.json.lock"])
    }
}

/// Time that passes at once when somebody waits for it.
private final class HurriedTime: TimeSource {
    private let passed = Guarded(Duration.zero)

    var now: Moment {
        let passed = passed.withLock { $0 }
        return Moment(wall: WallTime(sinceEpoch: .seconds(1_800_000_000) + passed), sinceBoot: passed, boot: "test")
    }

    func sleep(for duration: Duration) async throws {
        passed.withLock { $0 += duration }
    }
}
