/// A key that a command prints: 32 bytes in base64url on standard output, and exit status 0.
///
/// The command line is given to `/bin/sh -c`, as Git does with its own commands, so that quotes, pipes and variables
/// mean what they mean in a script; no shell that a person set up takes part, and no start-up file is read. It has
/// nothing on standard input, its errors go where this process's go, and it is not asked to read a terminal: it runs
/// in a process group of its own, which is killed when the time is over. The key is never in any process's arguments.
public struct CommandKey: KeySource {
    /// What a command may print, in bytes.
    static let outputLimit = 4096

    private let command: String
    private let environment: [String: String]
    private let limit: Duration
    private let time: any TimeSource

    /// Takes a command line, and the environment that it gets.
    ///
    /// Left out of that are `AUTHKIT_KEY_SOURCE` and `AUTHKIT_ACCESS_TOKEN`, and what else is named by `withholding`:
    /// another key source's variable. `limit` is how long it may take.
    public init(
        _ command: String,
        environment: [String: String],
        withholding: Set<String> = [],
        limit: Duration = .seconds(30),
        time: any TimeSource = SystemTime()
    ) {
        self.command = command
        let withheld = withholding.union(["AUTHKIT_KEY_SOURCE", "AUTHKIT_ACCESS_TOKEN"])
        self.environment = environment.filter { !withheld.contains($0.key) }
        self.limit = limit
        self.time = time
    }

    /// `command`.
    public var kind: String { "command" }

    /// Checks that the command prints a key, and the same one when it is run again; nothing is made.
    public func makeParameters() async throws -> [String: String] {
        let first = try await wrappingKey(for: [:])
        let second = try await wrappingKey(for: [:])
        guard first.isEqual(to: second) else {
            throw VaultError(
                .keyUnavailable,
                "The key command prints another key each time; let it print one that was kept."
            )
        }
        return [:]
    }

    /// Runs the command.
    public func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        let end = try await KeyCommandRun(time: time)
            .run(["/bin/sh", "-c", command], environment: environment, limit: limit, outputLimit: Self.outputLimit)
        switch end {
        case .printed(let text):
            var bytes = text.take()
            return try EncodedKey.read(wiping: &bytes, from: "the key command's output")
        case .failed(let status):
            throw VaultError(
                .keyUnavailable,
                "The key command ended with status \(status); run it by hand to see why."
            )
        case .tooMuch:
            throw VaultError(
                .keyUnavailable,
                "The key command prints more than \(Self.outputLimit) bytes; let it print the key alone."
            )
        case .tooLate:
            throw VaultError(
                .keyUnavailable,
                "The key command did not end within \(limit.components.seconds) s and was killed; it may not wait for a "
                    + "person at the terminal."
            )
        case .notStarted(let reason):
            throw VaultError(.keyUnavailable, "The key command could not be started (\(reason)); try again.")
        }
    }
}
