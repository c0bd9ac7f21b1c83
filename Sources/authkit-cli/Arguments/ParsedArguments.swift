/// What was typed, checked against the command's declaration.
struct ParsedArguments: Sendable {
    /// The command.
    let shape: CommandShape
    /// Its operands, in order.
    let operands: [String]
    private let values: [String: [String]]

    /// Keeps what a parser has checked.
    init(shape: CommandShape, operands: [String], values: [String: [String]]) {
        self.shape = shape
        self.operands = operands
        self.values = values
    }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { values[flag] != nil }

    /// The value of a flag that was given; of a repeatable one the last.
    func value(_ flag: String) -> String? { values[flag]?.last }

    /// All values of a repeatable flag, in order.
    func all(_ flag: String) -> [String] { values[flag] ?? [] }

    /// An operand by its place; nil when it was left out.
    func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

    /// `--timeout`; nothing can be done in no time, so that zero is refused.
    func timeLimit() throws(UsageError) -> Duration? {
        let limit = try seconds("timeout")
        guard limit != .zero else {
            throw UsageError(
                "--timeout is how long to wait in all, such as 30 or 0.5; for no limit of your own leave it out.",
                command: shape
            )
        }
        return limit
    }

    /// A flag that counts seconds: whole or with decimals, zero or more, at most a year.
    func seconds(_ flag: String) throws(UsageError) -> Duration? {
        guard let text = value(flag) else { return nil }
        let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
        guard isPlain, text.utf8.count <= 12, let number = Double(text), number.isFinite, number <= 31_536_000 else {
            throw UsageError(
                "--\(flag) takes seconds, such as 60, up to a year (31536000); it was given \(SafeText.quoted(text)).",
                command: shape
            )
        }
        return .milliseconds(Int64(number * 1000))
    }
}
