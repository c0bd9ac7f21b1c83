import AuthKitCore
import AuthKitDevServer
import Testing
import TransportCurl

@testable import authkit_cli

/// `login --callback-url -`: the address to copy leads to a place of ours.
@Suite struct PasteTests {
    typealias Bench = SignInCommandTests.Bench

    /// Looks at what answers at the final address, then pastes it.
    private struct LookingInput: LineInput {
        let sink: RecordingSink
        let seen = Latched<String>()

        func line(limit: Int) async throws -> String {
            let announced = try #require(SignInCommandTests.BrowsingInput.announced(in: sink))
            let url = try await SignInCommandTests.BrowsingInput.follow(announced)
            if let answer = try? await CurlTransport().send(HTTPRequest("GET", try #require(WebURL(url)))) {
                seen.set(String(decoding: answer.body, as: UTF8.self))
            }
            return url
        }

        func everything(limit: Int) async throws -> [UInt8] { [] }
    }

    private func login(_ bench: Bench) async -> (CommandHarness.Outcome, page: String?) {
        let sink = RecordingSink()
        let input = LookingInput(sink: sink)
        let outcome = await bench.run(["login", "--callback-url", "-", "--timeout", "20"], input: input, sink: sink)
        return (outcome, input.seen.value)
    }

    private func redirect(_ outcome: CommandHarness.Outcome) throws -> WebURL {
        let line = outcome.messages.split(separator: "\n").map { $0.trimmingSpaces() }.first { $0.hasPrefix("http") }
        let parameters = try #require(line.flatMap { WebURL($0) }?.queryParameters)
        return try #require(parameters.first { $0.name == "redirect_uri" }.flatMap { WebURL($0.value) })
    }

    @Test func `a free port is held until the sign-in ends, with a page that says what to do`() async throws {
        let bench = try await Bench.start()
        let (outcome, page) = await login(bench)
        #expect(outcome.exit == .done)
        #expect(page?.contains("paste it into the terminal") == true)
        let redirect = try redirect(outcome)
        #expect(redirect.port != 0 && redirect.port != 49_151)
        // Nobody is there any more.
        await #expect(throws: TransportError.self) { try await CurlTransport().send(HTTPRequest("GET", redirect)) }
        await bench.server.stop()
    }

    @Test func `a port that is configured is held too`() async throws {
        let other = try await DevServer.start()
        let port = other.port
        await other.stop()
        let bench = try await Bench.start(["--redirect-uri", "http://127.0.0.1:\(port)/callback"])
        let (outcome, page) = await login(bench)
        #expect(outcome.exit == .done)
        #expect(page?.contains("paste it into the terminal") == true)
        #expect(try redirect(outcome).port == Int(port))
        await bench.server.stop()
    }

    @Test func `a port that is configured and taken is used as it is`() async throws {
        let other = try await DevServer.start()
        let bench = try await Bench.start(["--redirect-uri", "http://127.0.0.1:\(other.port)/callback"])
        let (outcome, page) = await login(bench)
        #expect(outcome.exit == .done)
        #expect(page?.contains("paste it into the terminal") == false)
        await other.stop()
        await bench.server.stop()
    }
}

/// A value that one task leaves for another.
private final class Latched<Value: Sendable>: Sendable {
    private let held = Guarded<Value?>(nil)

    var value: Value? { held.withLock { $0 } }

    func set(_ value: Value) { held.withLock { $0 = value } }
}
