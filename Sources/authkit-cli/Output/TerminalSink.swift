/// Writes data to a terminal: what could act on it is written as JSON's escapes.
///
/// Scripts read files and pipes, which get every byte as it is.
struct TerminalSink: OutputSink {
    private let sink: any OutputSink

    /// The same sink, unless its data goes to a terminal.
    static func guarding(_ sink: any OutputSink) -> any OutputSink {
        sink.isDataTerminal ? TerminalSink(sink: sink) : sink
    }

    func writeData(_ bytes: [UInt8]) throws(CommandFailure) {
        try sink.writeData(Array(SafeText.escaped(String(decoding: bytes, as: UTF8.self)).utf8))
    }

    func writeMessage(_ bytes: [UInt8]) { sink.writeMessage(bytes) }

    var isTerminal: Bool { sink.isTerminal }

    var isDataTerminal: Bool { true }
}
