import AuthKitCore
import AuthKitTesting
import Testing

@testable import authkit_cli

/// `doctor`: each check finds what it is for.
@Suite struct DoctorTests {
    /// What is broken in a home, by check.
    private func broken(_ harness: CommandHarness, _ flags: String...) async -> [String: String] {
        let outcome = await harness.run(["doctor", "--json"] + flags)
        var result: [String: String] = [:]
        for check in outcome.json?["checks"]?.array ?? [] where check["state"]?.string == "broken" {
            result[check["name"]?.string ?? ""] = check["message"]?.string
        }
        #expect(outcome.exit == (result.isEmpty ? .done : .configuration))
        return result
    }

    @Test func `an empty home has nothing broken`() async throws {
        #expect(await broken(try CommandHarness()).isEmpty)
    }

    @Test func `a configuration that does not parse`() async throws {
        let harness = try CommandHarness()
        try harness.write("{", to: "config.json")
        #expect(await broken(harness)["configuration"]?.contains("config.json") == true)
    }

    @Test func `a profile whose secret has gone`() async throws {
        let harness = try CommandHarness()
        try harness.write("hush\n", to: "secret")
        let add = ["profile", "add", "m", "--issuer", "https://id.example", "--client-id", "c"]
        #expect(await harness.run(add + ["--client-secret-file", "secret"]).exit == .done)
        #expect(await broken(harness).isEmpty)
        try harness.remove("secret")
        #expect(await broken(harness).keys.sorted() == ["profiles"])
        #expect(await broken(harness)["profiles"]?.hasPrefix("m: ") == true)
    }

    @Test func `a key source that is not there, or open to others`() async throws {
        let harness = try CommandHarness()
        #expect(await broken(harness, "--key-source", "passphrase-file:words").keys.sorted() == ["key source"])
        #expect(await broken(harness, "--key-source", "env:NO_SUCH_KEY").keys.sorted() == ["key source"])
        let path = try harness.write("x", to: "store.key", mode: 0o644)
        #expect(await broken(harness)["key source"]?.contains("chmod 600 \(path)") == true)
    }

    @Test func `a store that is none`() async throws {
        let harness = try CommandHarness()
        try harness.write(String(repeating: "not a database ", count: 100), to: "store.db")
        #expect(await broken(harness).keys.sorted() == ["store"])
    }

    @Test func `a clock that cannot be right`() async throws {
        let time = ManualTime()
        time.stepWall(by: .seconds(1000) - time.now.wall.sinceEpoch)
        let found = await broken(try CommandHarness(time: time))
        #expect(found.keys.sorted() == ["clock"])
        #expect(found["clock"]?.contains("1970-01-01T00:16:40Z") == true)
    }

    @Test(arguments: ["SSL_CERT_FILE", "SSL_CERT_DIR"])
    func `authorities that cannot be read`(_ variable: String) async throws {
        let found = await broken(try CommandHarness([variable: "/no/such/place"]))
        #expect(found.keys.sorted() == ["trust"])
        #expect(found["trust"]?.contains(variable) == true)
    }

    @Test func `a library that is missing, with its package`() async throws {
        let harness = try CommandHarness()
        let parsed = try ArgumentParser(CommandTable.all).parse(["doctor"])
        guard case .run(let arguments) = parsed else { throw CommandFailure.usage("doctor") }
        let console = Console(sink: RecordingSink(), style: .init())
        let invocation = Invocation(arguments: arguments, surroundings: harness.surroundings(), console: console)
        let findings = await Diagnosis(invocation, libraries: [("libnosuch.so.1", "libnosuch1")]).run()
        let broken = findings.filter { $0.verdict == .broken }
        #expect(broken.map(\.subject) == ["libraries"])
        #expect(broken.first?.sentence.hasSuffix("apt-get install libnosuch1") == true)
    }

    @Test func `a browser that cannot be run`() async throws {
        #expect(await broken(try CommandHarness(["BROWSER": "no-such-browser --new"])).keys.sorted() == ["browser"])
        #expect(await broken(try CommandHarness(["BROWSER": "no-such-browser:/bin/true"])).isEmpty)
    }

    @Test func `a place for sockets whose path is too long, or is open to others`() async throws {
        let long = "/tmp/" + String(repeating: "x", count: 90)
        #expect(await broken(try CommandHarness(["XDG_RUNTIME_DIR": long])).keys.sorted() == ["sockets"])
    }
}
