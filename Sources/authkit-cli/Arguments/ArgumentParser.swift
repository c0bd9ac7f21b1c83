/// Reads a command line by the declared commands and flags.
///
/// Flags may stand before, between and behind a command's words; `--flag value` and `--flag=value` mean the same; `--`
/// ends flags. A name that several commands declare takes a value in all of them or in none, so that a flag can be
/// read before its command is known.
struct ArgumentParser: Sendable {
    private let commands: [CommandShape]
    private let takesValue: [String: Bool]

    /// Makes a parser for some commands.
    init(_ commands: [CommandShape]) {
        self.commands = commands
        let all = commands.flatMap(\.flags) + Flag.global
        takesValue = Dictionary(all.map { ($0.name, $0.takesValue) }) { first, _ in first }
    }

    /// Reads the words behind the program's name.
    func parse(_ arguments: [String]) throws(UsageError) -> ParsedRequest {
        var reading = Reading()
        var index = 0
        var flagsHaveEnded = false
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            if flagsHaveEnded || argument == "-" || !argument.hasPrefix("-") {
                try take(argument, into: &reading)
            } else if argument == "--" {
                flagsHaveEnded = true
            } else if argument == "-h" {
                reading.flags.append(("help", nil))
            } else {
                try takeFlag(argument, following: arguments, at: &index, into: &reading)
            }
        }
        return try finish(reading)
    }

    private struct Reading {
        var words: [String] = []
        var shape: CommandShape?
        var operands: [String] = []
        var flags: [(name: String, value: String?)] = []

        func has(_ flag: String) -> Bool { flags.contains { $0.name == flag } }
    }

    private func take(_ word: String, into reading: inout Reading) throws(UsageError) {
        if reading.shape != nil {
            reading.operands.append(word)
            return
        }
        let path = reading.words + [word]
        let candidates = commands.filter { $0.words.starts(with: path) }
        guard !candidates.isEmpty else {
            // `help` as a word: `authkit help login`.
            if word == "help" {
                reading.flags.append(("help", nil))
                return
            }
            throw unknownCommand(word, behind: reading.words)
        }
        reading.words = path
        reading.shape = candidates.first { $0.words == path }
    }

    private func unknownCommand(_ word: String, behind words: [String]) -> UsageError {
        let next = commands.filter { $0.words.starts(with: words) && $0.words.count > words.count && !$0.isHidden }
            .map { $0.words[words.count] }
        let typed = SafeText.quoted((words + [word]).joined(separator: " "))
        let prefix = words.isEmpty ? "" : words.joined(separator: " ") + " "
        let hint = Suggestion.phrase(word, among: next, prefix: prefix)
        let list = hint.isEmpty ? " Run `authkit\(words.isEmpty ? "" : " " + words[0]) --help` for the list." : hint
        return UsageError("There is no command \(typed).\(list)")
    }

    private func takeFlag(
        _ argument: String,
        following arguments: [String],
        at index: inout Int,
        into reading: inout Reading
    ) throws(UsageError) {
        let body = argument.hasPrefix("--") ? argument.dropFirst(2) : argument[...]
        let halves = body.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(halves.first ?? "")
        guard argument.hasPrefix("--"), let takesValue = takesValue[name] else {
            throw unknownFlag(argument.hasPrefix("--") ? name : argument, for: reading.shape)
        }
        let written = halves.count > 1 ? String(halves[1]) : nil
        if !takesValue {
            guard written == nil else { throw UsageError("--\(name) takes no value.", command: reading.shape) }
            reading.flags.append((name, nil))
            return
        }
        if let written {
            reading.flags.append((name, written))
            return
        }
        guard index < arguments.count, !arguments[index].hasPrefix("--") else {
            throw UsageError("--\(name) needs a value: --\(name) VALUE.", command: reading.shape)
        }
        reading.flags.append((name, arguments[index]))
        index += 1
    }

    private func unknownFlag(_ name: String, for shape: CommandShape?) -> UsageError {
        if !name.isEmpty, name.hasPrefix("-") {
            return UsageError("There is no flag \(SafeText.quoted(name)); flags have two dashes.", command: shape)
        }
        let known = (shape?.flags ?? commands.flatMap(\.flags)) + Flag.global
        let hint = Suggestion.phrase(name, among: known.map(\.name), prefix: "--")
        let whose = shape.map { " of `authkit \($0.name)`" } ?? ""
        return UsageError("There is no flag \(SafeText.quoted("--" + name))\(whose).\(hint)", command: shape)
    }

    private func finish(_ reading: Reading) throws(UsageError) -> ParsedRequest {
        if reading.has("help") { return .help(words: reading.words) }
        if reading.has("version") { return .version }
        guard let shape = reading.shape else {
            guard let group = reading.words.first else {
                throw UsageError("Name a command; `authkit --help` lists them.")
            }
            let members = commands.filter { $0.words.first == group }.compactMap { $0.words.dropFirst().first }
            throw UsageError("`authkit \(group)` needs one more word: \(members.joined(separator: ", ")).")
        }
        var values: [String: [String]] = [:]
        for (name, value) in reading.flags {
            guard let flag = shape.flag(name) else { throw unknownFlag(name, for: shape) }
            if values[name] != nil, flag.takesValue, !flag.isRepeatable {
                throw UsageError("--\(name) may be given once only.", command: shape)
            }
            if case .choice(let words) = flag.value, let value, !words.contains(value) {
                let hint = Suggestion.phrase(value, among: words)
                throw UsageError(
                    "--\(name) is one of \(words.joined(separator: ", ")), not \(SafeText.quoted(value)).\(hint)",
                    command: shape
                )
            }
            values[name, default: []].append(value ?? "")
        }
        try checkOperands(reading.operands, of: shape)
        return .run(ParsedArguments(shape: shape, operands: reading.operands, values: values))
    }

    private func checkOperands(_ operands: [String], of shape: CommandShape) throws(UsageError) {
        let needed = shape.operands.filter { !$0.isOptional }
        if operands.count < needed.count {
            throw UsageError("`authkit \(shape.name)` needs \(needed[operands.count].name).", command: shape)
        }
        if operands.count > shape.operands.count {
            let extra = SafeText.quoted(operands[shape.operands.count])
            throw UsageError("`authkit \(shape.name)` takes nothing like \(extra) there.", command: shape)
        }
        for (operand, value) in zip(shape.operands, operands) {
            if value.isEmpty, !operand.mayBeEmpty { throw UsageError("\(operand.name) is empty.", command: shape) }
            if case .words(let words) = operand.completion, !words.contains(value) {
                let hint = Suggestion.phrase(value, among: words)
                throw UsageError(
                    "\(operand.name) is one of \(words.joined(separator: ", ")), not \(SafeText.quoted(value)).\(hint)",
                    command: shape
                )
            }
        }
    }
}
