/// Writes help from the declared commands.
struct HelpText: Sendable {
    private let commands: [CommandShape]

    /// Makes the writer.
    init(_ commands: [CommandShape]) {
        self.commands = commands
    }

    /// Help for a command, a group of commands, or the whole.
    func text(for words: [String]) -> String {
        if let shape = commands.first(where: { $0.words == words }) { return text(of: shape) }
        return words.isEmpty ? overview : group(words)
    }

    private var overview: String {
        """
        authkit signs you in once and hands out valid tokens from one encrypted place.

        Usage: authkit COMMAND [FLAG …]

        Commands:
        \(table(commands.filter { !$0.isHidden }.map { ($0.name, $0.summary) }))

        Flags of every command:
        \(table(Flag.global.map(Self.row)))

        Examples:
          authkit profile add work --provider oidc --issuer https://issuer.example --client-id my-client
          authkit login work
          curl -H "$(authkit token work --format header)" https://api.example/me

        `authkit COMMAND --help` says more of each command.

        """
    }

    private func group(_ words: [String]) -> String {
        let members = commands.filter { $0.words.starts(with: words) && !$0.isHidden }
        return """
            Usage: authkit \(words.joined(separator: " ")) COMMAND [FLAG …]

            Commands:
            \(table(members.map { ($0.name, $0.summary) }))

            """
    }

    private func text(of shape: CommandShape) -> String {
        let synopsis =
            ["authkit", shape.name] + shape.operands.map(\.synopsis) + (shape.flags.isEmpty ? [] : ["[FLAG …]"])
        var parts = ["Usage: \(synopsis.joined(separator: " "))", Self.sentence(shape.summary)]
        parts += shape.details.map { Self.wrapped($0, width: 78) }
        if !shape.flags.isEmpty { parts.append("Flags:\n" + table(shape.flags.map(Self.row))) }
        parts.append("Flags of every command:\n" + table(Flag.global.map(Self.row)))
        parts.append("Examples:\n" + shape.examples.map { "  " + $0 }.joined(separator: "\n"))
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func row(_ flag: Flag) -> (String, String) {
        let left = "--\(flag.name)" + (flag.placeholder.map { " " + $0 } ?? "")
        return (left, flag.help + (flag.isRepeatable ? " (repeatable)" : ""))
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    private func table(_ rows: [(String, String)]) -> String {
        let width = min(30, rows.map(\.0.count).max() ?? 0)
        return rows.map { left, right in
            guard left.count <= width else { return "  \(left)\n  \(String(repeating: " ", count: width))  \(right)" }
            return "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)"
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, width: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
