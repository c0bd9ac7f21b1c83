/// What a command line asks for.
enum ParsedRequest: Sendable {
    /// To run a command.
    case run(ParsedArguments)
    /// To say what a command, a group of commands or the whole does.
    case help(words: [String])
    /// To name the version.
    case version
}
