/// Writes shell completion from the declared commands.
///
/// Nothing that a shell would run or expand is taken from outside: names and words are those of the table; the names
/// of profiles are asked of `authkit profile list --names`, whose answer is never evaluated.
struct CompletionScript: Sendable {
    private let commands: [CommandShape]

    /// Makes the writer.
    init(_ commands: [CommandShape]) {
        self.commands = commands.filter { !$0.isHidden }
    }

    /// The script for a shell: `bash`, `zsh` or `fish`; nil for any other.
    func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": "#compdef authkit\nautoload -U +X bashcompinit && bashcompinit\n" + bash
        case "fish": fish
        default: nil
        }
    }

    /// The first words of all commands, each once.
    private var firstWords: [String] { unique(commands.map { $0.words[0] }) }

    private func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    private var groups: [String] { unique(commands.filter { $0.words.count > 1 }.map { $0.words[0] }) }

    private func members(of group: String) -> [String] {
        commands.filter { $0.words[0] == group && $0.words.count > 1 }.map { $0.words[1] }
    }

    private var allFlags: [Flag] {
        var seen: Set<String> = []
        return (commands.flatMap(\.flags) + Flag.global).filter { seen.insert($0.name).inserted }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

// MARK: - bash and zsh

extension CompletionScript {
    private var bash: String {
        let values = allFlags.filter(\.takesValue)
        let choices = values.compactMap { flag -> String? in
            guard case .choice(let words) = flag.value else { return nil }
            return
                "        --\(flag.name)) COMPREPLY=($(compgen -W \(quoted(words.joined(separator: " "))) -- \"$cur\")); return ;;"
        }
        let files = values.filter { if case .file = $0.value { true } else { false } }.map { "--" + $0.name }
        let texts = values.filter { if case .text = $0.value { true } else { false } }.map { "--" + $0.name }
        let flags = commands.map { shape in
            let names = (shape.flags + Flag.global).map { "--" + $0.name }.joined(separator: " ")
            return "        \(quoted(shape.name))) flags=\(quoted(names)) ;;"
        }
        let operands = commands.compactMap { shape -> String? in
            guard let operand = shape.operands.first else { return nil }
            switch operand.completion {
            case .none: return nil
            case .file: return "        \(quoted(shape.name))) COMPREPLY=($(compgen -f -- \"$cur\")) ;;"
            case .words(let words):
                return
                    "        \(quoted(shape.name))) COMPREPLY=($(compgen -W \(quoted(words.joined(separator: " "))) -- \"$cur\")) ;;"
            case .profile:
                return "        \(quoted(shape.name))) _authkit_profiles \"$cur\" ;;"
            }
        }
        let groupCases = groups.map {
            "        \($0)) COMPREPLY=($(compgen -W \(quoted(members(of: $0).joined(separator: " "))) -- \"$cur\")); return ;;"
        }
        return """
            _authkit_profiles() {
                local name
                while IFS= read -r name; do
                    case "$name" in "$1"*) COMPREPLY+=("$name") ;; esac
                done < <(authkit profile list --names 2>/dev/null)
            }
            _authkit() {
                local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" first="" command="" word flags=""
                local index=1
                COMPREPLY=()
                while [ "$index" -lt "$COMP_CWORD" ]; do
                    word="${COMP_WORDS[index]}"
                    case "$word" in
                    \(texts.isEmpty ? "--" : (texts + files + values.filter { if case .choice = $0.value { true } else { false } }.map { "--" + $0.name }).joined(separator: "|"))) index=$((index + 1)) ;;
                    -*) ;;
                    *)
                        if [ -z "$first" ]; then
                            first="$word"
                            case "$first" in
                            \(groups.joined(separator: "|"))) ;;
                            *) command="$first" ;;
                            esac
                        elif [ -z "$command" ]; then
                            command="$first $word"
                        fi
                        ;;
                    esac
                    index=$((index + 1))
                done
                case "$prev" in
            \(choices.joined(separator: "\n"))
                    \(files.joined(separator: "|"))) COMPREPLY=($(compgen -f -- "$cur")); return ;;
                    \(texts.joined(separator: "|"))) return ;;
                esac
                if [ -z "$first" ]; then
                    case "$cur" in
                    -*) COMPREPLY=($(compgen -W \(quoted(Flag.global.map { "--" + $0.name }.joined(separator: " "))) -- "$cur")) ;;
                    *) COMPREPLY=($(compgen -W \(quoted(firstWords.joined(separator: " "))) -- "$cur")) ;;
                    esac
                    return
                fi
                if [ -z "$command" ]; then
                    case "$first" in
            \(groupCases.joined(separator: "\n"))
                    esac
                fi
                case "$command" in
            \(flags.joined(separator: "\n"))
                esac
                case "$cur" in
                -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")); return ;;
                esac
                case "$command" in
            \(operands.joined(separator: "\n"))
                esac
            }
            complete -F _authkit authkit

            """
    }
}

// MARK: - fish

extension CompletionScript {
    private var fish: String {
        var lines = ["complete -c authkit -f"]
        for flag in Flag.global { lines.append(fishFlag(flag, condition: nil)) }
        for word in firstWords {
            let summary = commands.first { $0.words == [word] }?.summary ?? "\(word) commands"
            lines.append("complete -c authkit -n __fish_use_subcommand -a \(word) -d \(quoted(summary))")
        }
        for shape in commands {
            let seen = shape.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            for flag in shape.flags { lines.append(fishFlag(flag, condition: seen)) }
            if shape.words.count > 1 {
                let others = members(of: shape.words[0]).joined(separator: " ")
                let here =
                    "__fish_seen_subcommand_from \(shape.words[0]); and not __fish_seen_subcommand_from \(others)"
                lines.append("complete -c authkit -n \(quoted(here)) -a \(shape.words[1]) -d \(quoted(shape.summary))")
            }
            switch shape.operands.first?.completion {
            case .profile:
                lines.append("complete -c authkit -n \(quoted(seen)) -a '(authkit profile list --names 2>/dev/null)'")
            case .file: lines.append("complete -c authkit -n \(quoted(seen)) -F")
            case .words(let words):
                lines.append("complete -c authkit -n \(quoted(seen)) -a \(quoted(words.joined(separator: " ")))")
            case .some(.none), nil: break
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func fishFlag(_ flag: Flag, condition: String?) -> String {
        var line = "complete -c authkit"
        if let condition { line += " -n \(quoted(condition))" }
        line += " -l \(flag.name) -d \(quoted(flag.help))"
        switch flag.value {
        case .none: break
        case .text: line += " -x"
        case .file: line += " -r -F"
        case .choice(let words): line += " -x -a \(quoted(words.joined(separator: " ")))"
        }
        return line
    }
}
