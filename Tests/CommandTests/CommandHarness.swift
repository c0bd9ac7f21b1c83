import AuthKitCore
import Foundation

@testable import authkit_cli

/// Runs commands in this process, each in a home of its own.
final class CommandHarness: Sendable {
    struct Outcome: Sendable {
        let exit: ExitCode
        let output: String
        let messages: String

        /// The last line of standard output as JSON.
        var json: JSONValue? {
            guard let line = output.split(separator: "\n").last else { return nil }
            return try? JSONValue(parsing: Array(line.utf8))
        }

        var errorCode: String? { json?["error"]?["code"]?.string }
    }

    let home: String
    let variables: [String: String]
    let time: any TimeSource

    init(_ more: [String: String] = [:], time: any TimeSource = SystemTime()) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("authkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        home = directory.path
        variables = ["AUTHKIT_HOME": home, "HOME": home, "PATH": "/usr/bin:/bin"].merging(more) { _, new in new }
        self.time = time
    }

    deinit {
        try? FileManager.default.removeItem(atPath: home)
    }

    func run(
        _ arguments: [String],
        input: String = "",
        variables: [String: String]? = nil,
        sink: RecordingSink = RecordingSink()
    ) async -> Outcome {
        let surroundings = surroundings(input: input, variables: variables, sink: sink)
        let exit = await CommandRunner().run(arguments, in: surroundings)
        return Outcome(exit: exit, output: sink.output, messages: sink.messages)
    }

    func run(_ arguments: String...) async -> Outcome { await run(arguments) }

    /// The world of a command that runs in this home without a network.
    func surroundings(
        input: String = "",
        variables: [String: String]? = nil,
        sink: RecordingSink = RecordingSink()
    ) -> Surroundings {
        Surroundings(
            environment: Environment(variables: variables ?? self.variables),
            sink: sink,
            input: TextInput(text: input),
            time: time,
            workingDirectory: home,
            transport: { RefusingTransport() }
        )
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: home + "/" + name) }

    /// Writes a file below the home.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let path = home + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    /// Makes the home and what lies in it somebody else's.
    func giveAway(to user: UInt32) -> Bool {
        let paths = [home] + Directory.names(in: home).map { "\(home)/\($0)" }
        return paths.allSatisfy { unsafe chown($0, user, user) == 0 }
    }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: home + "/" + name)))
    }

    /// Overwrites a file in place.
    func write(bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: home + "/" + name))
    }

    func text(of name: String) -> String? { try? String(contentsOfFile: home + "/" + name, encoding: .utf8) }

    func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: home + "/" + name)[.posixPermissions] as? Int
    }
}

/// Keeps what a command writes.
final class RecordingSink: OutputSink {
    private let data = Guarded<[UInt8]>([])
    private let told = Guarded<[UInt8]>([])
    private let isBroken: Bool
    let isTerminal: Bool
    let isDataTerminal: Bool

    init(isBroken: Bool = false, isTerminal: Bool = false, isDataTerminal: Bool = false) {
        self.isBroken = isBroken
        self.isTerminal = isTerminal
        self.isDataTerminal = isDataTerminal
    }

    func writeData(_ bytes: [UInt8]) throws(CommandFailure) {
        if isBroken { throw .inputOutput("Standard output cannot be written.") }
        data.withLock { $0 += bytes }
    }

    func writeMessage(_ bytes: [UInt8]) { told.withLock { $0 += bytes } }

    var output: String { String(decoding: data.withLock { $0 }, as: UTF8.self) }
    var messages: String { String(decoding: told.withLock { $0 }, as: UTF8.self) }
}

/// Gives a text as standard input.
struct TextInput: LineInput {
    let text: String

    func line(limit: Int) async throws -> String {
        String(text.prefix { $0 != "\n" })
    }

    func everything(limit: Int) async throws -> [UInt8] { Array(text.utf8) }
}

/// Fails every exchange: these tests need no network.
struct RefusingTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        throw TransportError(.cannotConnect, delivery: .notSent, detail: "There is no network here; try again.")
    }
}
