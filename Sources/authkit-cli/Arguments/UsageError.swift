/// A command line that cannot be understood: exit code 64.
struct UsageError: Error, Sendable {
    /// One sentence that says what to do.
    let message: String
    /// The command's name, where it was recognised.
    let command: String?

    /// Makes an error.
    init(_ message: String, command: CommandShape? = nil) {
        self.message = message
        self.command = command?.name
    }
}
