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
    private let secrets: [(text: String, look: SecretLook)]

    /// Makes a console; of the arguments, those that look like secrets are in no message.
    init(sink: any OutputSink, style: Style, hiding arguments: [String] = []) {
        self.sink = sink
        self.style = style
        // The value of --name=value is one by itself, and what is longer is hidden first.
        let values = arguments.filter { $0.hasPrefix("-") }.compactMap { argument in
            argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
        }
        secrets = (arguments + values).filter { $0.utf8.count >= 8 }.sorted { $0.utf8.count > $1.utf8.count }
            .compactMap { text in SecretLook(text).flatMap { $0.isCertain ? (text, $0) : nil } }
    }

    /// Decides on colours: `NO_COLOR` forbids, `CLICOLOR_FORCE` demands, else a terminal that is not dumb has them.
    static func wantsColours(_ environment: Environment, isTerminal: Bool) -> Bool {
        if environment["NO_COLOR"] != nil { return false }
        if let force = environment["CLICOLOR_FORCE"], force != "0" { return true }
        return isTerminal && environment["TERM"] != "dumb"
    }

    /// Writes text that is data, as it is, to standard output.
    func data(_ text: String) throws(CommandFailure) {
        try data(Array(text.utf8))
    }

    /// Writes bytes that are data to standard output.
    func data(_ bytes: [UInt8]) throws(CommandFailure) {
        try sink.writeData(bytes)
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

    /// Tells people of a danger to a secret of theirs, even when it is to be quiet.
    func alert(_ text: String) {
        write(text, label: "warning:", colour: "33")
    }

    /// Tells people what they must see for the command to go on, even when it is to be quiet.
    func insist(_ text: String) {
        write(text)
    }

    /// Writes a failure: as JSON on standard output, or as a sentence on standard error.
    ///
    /// When standard output itself is broken the sentence goes to standard error in either form.
    func report(_ failure: CommandFailure) {
        let failure = failure.replacingMessage(hidden(failure.message))
        if style.json, (try? data(ErrorDocument.value(failure))) != nil { return }
        write(failure.message, label: "error:", colour: "31")
        if let issuer = failure.issuerError, style.verbose {
            write("  the issuer says: \(issuer.error)\(issuer.description.map { " (\($0))" } ?? "")")
        }
    }

    /// Writes a line; everything in it is tamed but the label, which is ours and may be coloured.
    private func write(_ text: String, label: String? = nil, colour: String = "") {
        let painted = label.map { (style.colours ? "\u{1B}[\(colour)m\($0)\u{1B}[0m" : $0) + " " } ?? ""
        sink.writeMessage(Array((painted + SafeText.tamedLines(hidden(text)) + "\n").utf8))
    }

    private func hidden(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1.text, with: $1.look.placeholder) }
    }
}
