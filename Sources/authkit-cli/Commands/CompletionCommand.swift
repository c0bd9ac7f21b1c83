/// `completion`: prints a script that completes commands in a shell.
enum CompletionCommand {
    static let shape = CommandShape(
        "completion",
        summary: "print a shell's completion script",
        operands: [Operand("SHELL", completion: .words(["bash", "zsh", "fish"]))],
        examples: [
            "source <(authkit completion bash)",
            "authkit completion fish > ~/.config/fish/completions/authkit.fish",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        guard let script = CompletionScript(CommandTable.all).text(for: invocation.arguments.operands[0]) else {
            throw UsageError("The shell is one of bash, zsh, fish.", command: shape)
        }
        try invocation.console.data(script)
        return .done
    }
}
