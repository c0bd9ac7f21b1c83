internal import AuthKitCore

/// One run of a command: what was typed, and the world it runs in.
struct Invocation: Sendable {
    /// What was typed.
    let arguments: ParsedArguments
    /// The world.
    let surroundings: Surroundings
    /// Where it speaks.
    let console: Console
    /// What it is waiting for.
    let waits = LockWaits()
    private let start: Moment

    /// Makes one.
    init(arguments: ParsedArguments, surroundings: Surroundings, console: Console) {
        self.arguments = arguments
        self.surroundings = surroundings
        self.console = console
        start = surroundings.time.now
    }

    /// What is left of `--timeout`; nil without one.
    var timeLeft: Duration? {
        get throws(UsageError) {
            guard let limit = try arguments.timeLimit() else { return nil }
            return Deadline(limit, from: start).remaining(at: time.now)
        }
    }

    /// Runs the opening of a store within `--timeout`, for commands that count the rest of their time themselves.
    ///
    /// A prompt has the same limit and says more when it passes: it comes first.
    func withinLimit<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard arguments.shape.limitsItself, let left = try timeLeft else { return try await work() }
        let typed = arguments.value("timeout")
        return try await TimeLimit(limit: left + .milliseconds(300), time: time)
            .run(orThrow: { [waits] in waits.failure(limit: typed) }, work)
    }

    /// The environment.
    var environment: Environment { surroundings.environment }
    /// The clocks.
    var time: any TimeSource { surroundings.time }
    /// Whether nobody may be asked anything.
    var isNonInteractive: Bool { arguments.has("non-interactive") }
    /// Whether looser file modes are accepted.
    var insecureFileModes: Bool { arguments.has("insecure-file-modes") }

    /// Where everything lies.
    var places: Places {
        Places(
            environment: environment,
            configuration: arguments.value("config"),
            store: arguments.value("store"),
            workingDirectory: surroundings.workingDirectory
        )
    }

    /// What files must be like.
    var place: PrivatePlace {
        PrivatePlace(user: environment.user, insecureFileModes: insecureFileModes, home: environment["HOME"])
    }

    /// The configuration file.
    var configurationFile: ConfigurationFile {
        get throws(CommandFailure) {
            let places = places
            return ConfigurationFile(
                path: try places.configurationFile,
                place: place,
                isNamed: places.namesConfiguration,
                time: time,
                waits: waits
            )
        }
    }

    /// The profile that the command is about, by its first operand.
    func profile() throws(CommandFailure) -> (name: String, profile: Profile) {
        try configurationFile.load().profile(arguments.operand(0))
    }
}
