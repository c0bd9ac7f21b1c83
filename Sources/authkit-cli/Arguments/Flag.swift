/// One flag as declared: parsing, help and completion are made from it.
struct Flag: Sendable, Hashable {
    /// What a flag takes, and how a shell can complete it.
    enum Value: Sendable, Hashable {
        /// Nothing: the flag stands alone.
        case none
        /// Any text, shown as this placeholder.
        case text(String)
        /// A path.
        case file(String)
        /// One of these words.
        case choice([String])
    }

    /// The name without its dashes.
    let name: String
    /// What it takes.
    let value: Value
    /// What it does, in one line.
    let help: String
    /// Whether it may be given more than once.
    let isRepeatable: Bool

    /// Declares a flag.
    init(_ name: String, _ value: Value = .none, repeatable: Bool = false, help: String) {
        self.name = name
        self.value = value
        self.help = help
        isRepeatable = repeatable
    }

    /// Whether it takes a value.
    var takesValue: Bool { value != .none }

    /// What stands behind it in help: a placeholder, or its words.
    var placeholder: String? {
        switch value {
        case .none: nil
        case .text(let name), .file(let name): name
        case .choice(let words): words.joined(separator: "|")
        }
    }
}

extension Flag {
    /// The flags that every command knows.
    static let global: [Flag] = [
        Flag("json", help: "write data and errors as JSON on standard output"),
        Flag("quiet", help: "write nothing for people but errors"),
        Flag("verbose", help: "write more for people"),
        Flag("trace", help: "print every HTTP exchange and check as numbered steps, secrets redacted"),
        Flag("non-interactive", help: "never prompt and never open a browser"),
        Flag("timeout", .text("SECONDS"), help: "give up after so many seconds, more than 0; decimals are fine"),
        Flag("store", .text("URL"), help: "the store: sqlite:PATH, file:DIR, postgres://… or memory:"),
        Flag("key-source", .text("SOURCE"), help: KeySourceName.forms),
        Flag("config", .file("FILE"), help: "the configuration file"),
        Flag("insecure-file-modes", help: "accept files that others can read, for mounts that keep no modes"),
        Flag("help", help: "say what a command does, with examples"),
        Flag("version", help: "print the version"),
    ]
}
