/// Where the command's output goes.
protocol OutputSink: Sendable {
    /// Writes data to standard output, whole; throws `CommandFailure` (74) when it cannot.
    func writeData(_ bytes: [UInt8]) throws(CommandFailure)

    /// Writes for people to standard error; what cannot be written is lost.
    func writeMessage(_ bytes: [UInt8])

    /// Whether standard error is a terminal.
    var isTerminal: Bool { get }

    /// Whether standard output is a terminal.
    var isDataTerminal: Bool { get }
}
