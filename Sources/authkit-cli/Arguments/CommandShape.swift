/// One command as declared: its words, what it takes, what it says of itself, and what runs.
struct CommandShape: Sendable {
    /// Its words: `profile`, `add`.
    let words: [String]
    /// What it does, in one line.
    let summary: String
    /// What a reader of its help should know besides, a paragraph each.
    let details: [String]
    /// What it takes, in order; optional ones last.
    let operands: [Operand]
    /// Its own flags.
    let flags: [Flag]
    /// Lines that show its use.
    let examples: [String]
    /// Whether it is left out of lists: for programs, not for people.
    let isHidden: Bool
    /// Runs it.
    let run: @Sendable (Invocation) async throws -> ExitCode

    /// Declares a command.
    init(
        _ words: String,
        summary: String,
        details: [String] = [],
        operands: [Operand] = [],
        flags: [Flag] = [],
        examples: [String],
        hidden: Bool = false,
        run: @escaping @Sendable (Invocation) async throws -> ExitCode
    ) {
        self.words = words.split(separator: " ").map(String.init)
        self.summary = summary
        self.details = details
        self.operands = operands
        self.flags = flags
        self.examples = examples
        isHidden = hidden
        self.run = run
    }

    /// Its words as typed.
    var name: String { words.joined(separator: " ") }

    /// Finds a flag that it takes: its own, or one that all commands take.
    func flag(_ name: String) -> Flag? {
        flags.first { $0.name == name } ?? Flag.global.first { $0.name == name }
    }
}
