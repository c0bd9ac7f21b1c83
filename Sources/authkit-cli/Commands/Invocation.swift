internal import AuthKitCore

/// One run of a command: what was typed, and the world it runs in.
struct Invocation: Sendable {
    /// What was typed.
    let arguments: ParsedArguments
    /// The world.
    let surroundings: Surroundings
    /// Where it speaks.
    let console: Console
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
                time: time
            )
        }
    }

    /// The profile that the command is about, by its first operand.
    func profile() throws(CommandFailure) -> (name: String, profile: Profile) {
        try configurationFile.load().profile(arguments.operand(0))
    }
}
