internal import AuthKitCore

/// Speaks to people on standard error, and to programs on standard output.
struct Console: Sendable {
    /// How much is said, and in which form.
    struct Style: Sendable, Hashable {
        /// Whether data and errors are JSON.
        var json = false
        /// Whether people are told nothing but errors.
        var quiet = false
        /// Whether people are told more.
        var verbose = false
        /// Whether colours are used.
        var colours = false
    }

    /// Where it goes.
    let sink: any OutputSink
    /// How it looks.
    let style: Style

    /// Makes a console.
    init(sink: any OutputSink, style: Style) {
        self.sink = sink
        self.style = style
    }

    /// Decides on colours: `NO_COLOR` forbids, `CLICOLOR_FORCE` demands, else a terminal that is not dumb has them.
    static func wantsColours(_ environment: Environment, isTerminal: Bool) -> Bool {
        if environment["NO_COLOR"] != nil { return false }
        if let force = environment["CLICOLOR_FORCE"], force != "0" { return true }
        return isTerminal && environment["TERM"] != "dumb"
    }

    /// Writes text that is data, as it is, to standard output.
    func data(_ text: String) throws(CommandFailure) {
        try sink.writeData(Array(text.utf8))
    }

    /// Writes one JSON document and a line end to standard output.
    func data(_ value: JSONValue) throws(CommandFailure) {
        try sink.writeData(value.serialized() + [UInt8(ascii: "\n")])
    }

    /// Tells people something worth knowing.
    func say(_ text: String) {
        if !style.quiet { write(text) }
    }

    /// Tells people something that only the curious want.
    func detail(_ text: String) {
        if style.verbose, !style.quiet { write(text) }
    }

    /// Tells people that something is not as it should be, though the command goes on.
    func warn(_ text: String) {
        if !style.quiet { write(text, label: "warning:", colour: "33") }
    }

    /// Tells people what they must see for the command to go on, even when it is to be quiet.
    func insist(_ text: String) {
        write(text)
    }

    /// Writes a failure: as JSON on standard output, or as a sentence on standard error.
    ///
    /// When standard output itself is broken the sentence goes to standard error in either form.
    func report(_ failure: CommandFailure) {
        if style.json, (try? data(ErrorDocument.value(failure))) != nil { return }
        write(failure.message, label: "error:", colour: "31")
        if let issuer = failure.issuerError, style.verbose {
            write("  the issuer says: \(issuer.error)\(issuer.description.map { " (\($0))" } ?? "")")
        }
    }

    /// Writes a line; everything in it is tamed but the label, which is ours and may be coloured.
    private func write(_ text: String, label: String? = nil, colour: String = "") {
        let painted = label.map { (style.colours ? "\u{1B}[\(colour)m\($0)\u{1B}[0m" : $0) + " " } ?? ""
        sink.writeMessage(Array((painted + SafeText.tamedLines(text) + "\n").utf8))
    }
}
