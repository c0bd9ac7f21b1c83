internal import AuthKitCore

/// Runs a command line from parsing to exit code; every failure is reported here, once.
struct CommandRunner: Sendable {
    /// The version, as `--version` prints it.
    static let version = "0.1.0"

    private let commands: [CommandShape]

    /// Makes a runner over some commands.
    init(_ commands: [CommandShape] = CommandTable.all) {
        self.commands = commands
    }

    /// Runs a command line; `weaknesses` are told to the curious.
    func run(_ arguments: [String], in surroundings: Surroundings, weaknesses: [String] = []) async -> ExitCode {
        var surroundings = surroundings
        surroundings.sink = TerminalSink.guarding(surroundings.sink)
        let request: ParsedRequest
        do {
            request = try ArgumentParser(commands).parse(arguments)
        } catch {
            // The flags could not be read, so their form is guessed by the plain word.
            let flags = arguments.prefix { $0 != "--" }
            return report(error, on: console(surroundings, json: flags.contains("--json"), hiding: arguments))
        }
        do {
            switch request {
            case .help(let words):
                try console(surroundings).data(HelpText(commands).text(for: words))
                return .done
            case .version:
                let console = console(surroundings)
                if arguments.prefix(while: { $0 != "--" }).contains("--json") {
                    try console.data(["version": .string(Self.version)])
                } else {
                    try console.data("authkit \(Self.version)\n")
                }
                return .done
            case .run(let parsed):
                return await run(parsed, in: surroundings, weaknesses: weaknesses, hiding: arguments)
            }
        } catch {
            return report(error, on: console(surroundings))
        }
    }

    private func run(
        _ parsed: ParsedArguments,
        in surroundings: Surroundings,
        weaknesses: [String],
        hiding arguments: [String]
    ) async -> ExitCode {
        let style = Console.Style(
            json: parsed.has("json"),
            quiet: parsed.has("quiet"),
            verbose: parsed.has("verbose"),
            colours: Console.wantsColours(surroundings.environment, isTerminal: surroundings.sink.isTerminal)
        )
        let console = Console(sink: surroundings.sink, style: style, hiding: arguments)
        for weakness in weaknesses { console.detail(weakness) }
        let invocation = Invocation(arguments: parsed, surroundings: surroundings, console: console)
        do {
            let limit = try parsed.timeLimit()
            return try await Trace.$tracer.withValue(parsed.has("trace") ? StepTracer(console: console) : nil) {
                try await run(invocation, within: limit)
            }
        } catch {
            return report(error, of: invocation)
        }
    }

    /// Reports what a command ended with; where only a sign-in helps, with the command that makes it.
    private func report(_ error: any Error, of invocation: Invocation) -> ExitCode {
        let failure = CommandFailure(describing: error)
        let shape = invocation.arguments.shape
        guard failure.message.hasSuffix("; sign in again.") || failure.message.hasSuffix("; sign in first."),
            failure.exit == .signInNeeded, shape.name != "login", shape.operands.contains(.profile),
            let name = try? invocation.profile().name
        else { return report(failure, on: invocation.console) }
        let sentence = "\(failure.message.dropLast()): authkit login \(PrivatePlace.shellQuoted(name))"
        return report(failure.replacingMessage(sentence), on: invocation.console)
    }

    /// Runs it, for so long at most; some count their own time: a person's, or one after which something is left to give.
    private func run(_ invocation: Invocation, within limit: Duration?) async throws -> ExitCode {
        let shape = invocation.arguments.shape
        let typed = invocation.arguments.value("timeout")
        let waits = invocation.waits
        guard let limit else { return try await shape.run(invocation) }
        do {
            guard !shape.limitsItself else { return try await shape.run(invocation) }
            return try await TimeLimit(limit: limit, time: invocation.time)
                .run(orThrow: { waits.failure(limit: typed) }) { try await shape.run(invocation) }
        } catch let error as SessionError where [.callerLimitPassed, .issuerSilent].contains(error.reason) {
            // The session knows that its time passed, not that it passed before a lock was had; and its time may pass
            // just before the command's.
            throw waits.isHeldUp ? waits.failure(limit: typed) : error
        }
    }

    private func report(_ error: any Error, on console: Console) -> ExitCode {
        let failure = CommandFailure(describing: error)
        console.report(failure)
        return failure.exit
    }

    private func console(
        _ surroundings: Surroundings,
        json: Bool = false,
        hiding arguments: [String] = []
    ) -> Console {
        let colours = Console.wantsColours(surroundings.environment, isTerminal: surroundings.sink.isTerminal)
        return Console(sink: surroundings.sink, style: .init(json: json, colours: colours), hiding: arguments)
    }
}

extension CommandShape {
    /// Whether `--timeout` is the command's own affair.
    var limitsItself: Bool { ["login", "token", "refresh", "dev-server"].contains(name) }
}
