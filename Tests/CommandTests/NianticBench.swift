import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing
import TransportCurl

@testable import authkit_cli

/// A home with a profile `nsdk` at a running identity service.
struct NianticBench: Sendable {
    let server: DevServer
    let harness: CommandHarness

    static func start(
        _ flags: [String] = [],
        options: DevIssuerOptions = .init()
    ) async throws -> NianticBench {
        var options = options
        // An RSA key takes a good part of a second.
        options.algorithm = .es256
        options.hasKeyForEachAlgorithm = false
        let server = try await DevServer.start(options: options)
        let bench = NianticBench(server: server, harness: try CommandHarness())
        let added = await bench.run(["profile", "add", "nsdk", "--provider", "niantic"] + bench.addresses + flags)
        #expect(added.exit == .done, "\(added.messages)")
        return bench
    }

    /// Where the server's sample sign-in is.
    var addresses: [String] {
        [
            "--identity-url", server.issuer.url, "--sign-in-url", server.issuer.url + "/signin", "--sign-out-url",
            server.issuer.url + "/signout",
        ]
    }

    var statistics: DevNianticStatistics { server.issuer.statistics.niantic }

    func run(
        _ arguments: [String],
        input: any LineInput = TextInput(text: ""),
        sink: RecordingSink = RecordingSink(),
        terminal: String = "/nonexistent"
    ) async -> CommandHarness.Outcome {
        let surroundings = Surroundings(
            environment: Environment(variables: harness.variables),
            sink: sink,
            input: input,
            time: SystemTime(),
            workingDirectory: harness.home,
            terminal: terminal,
            transport: { CurlTransport() }
        )
        let exit = await CommandRunner().run(arguments, in: surroundings)
        return .init(exit: exit, output: sink.output, messages: sink.messages)
    }

    func run(_ arguments: String...) async -> CommandHarness.Outcome { await run(arguments) }

    /// Signs in by pasting the address that the sign-in page sends the browser to, as somebody.
    func login(
        _ more: [String] = [],
        as user: String = "alice",
        terminal: String = "/nonexistent"
    ) async -> CommandHarness.Outcome {
        let sink = RecordingSink()
        return await run(
            ["login", "--json", "--callback-url", "-", "--timeout", "20"] + more,
            input: Person(sink: sink, user: user),
            sink: sink,
            terminal: terminal
        )
    }

    /// A callback URL with a session token of somebody.
    func callback(user: String = "alice", type: String = "nsdk-samples") async throws -> String {
        try await SignInCommandTests.BrowsingInput.follow(
            "\(server.issuer.url)/signin?redirectType=\(type)&user=\(user)"
        )
    }

    /// Plays the person: opens the announced URL as a user, and gives back where it leads.
    struct Person: LineInput {
        let sink: RecordingSink
        let user: String

        func line(limit: Int) async throws -> String {
            let url = try #require(SignInCommandTests.BrowsingInput.announced(in: sink))
            return try await SignInCommandTests.BrowsingInput.follow("\(url)&user=\(user)")
        }

        func everything(limit: Int) async throws -> [UInt8] { [] }
    }
}
