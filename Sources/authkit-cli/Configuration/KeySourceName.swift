internal import AuthKitCore

/// Names where the store's key comes from.
enum KeySourceName: Sendable, Hashable {
    /// A key file.
    case keyFile(String)
    /// A passphrase that a person types.
    case passphrase
    /// A passphrase in a file.
    case passphraseFile(String)
    /// A key in an environment variable.
    case environment(String)
    /// A key that a command prints.
    case command(String)
    /// A key that systemd hands to a service.
    case systemdCredential(String)
    /// A key in the desktop's keyring.
    case secretService

    /// How each is written, for help and errors.
    static let forms =
        "keyfile:PATH, passphrase, passphrase-file:PATH, env:NAME, command:CMD, systemd-credential:NAME or secret-service"

    /// Reads `keyfile:PATH`, `passphrase`, `passphrase-file:PATH`, `env:NAME`, `command:CMD`, `systemd-credential:NAME`
    /// or `secret-service`.
    init(_ text: String, absolute: (String) -> String) throws(CommandFailure) {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = halves.count > 1 ? String(halves[1]) : ""
        switch (halves[0], rest.isEmpty) {
        case ("keyfile", false): self = .keyFile(absolute(rest))
        case ("passphrase", true): self = .passphrase
        case ("passphrase-file", false): self = .passphraseFile(absolute(rest))
        case ("env", false): self = .environment(rest)
        case ("command", false): self = .command(rest)
        case ("systemd-credential", false): self = .systemdCredential(rest)
        case ("secret-service", true): self = .secretService
        default:
            // What follows a colon may be a passphrase.
            throw .configuration(
                "\(SafeText.quoted(String(halves[0]))) names no key source here; use \(Self.forms).",
                code: "unknown_key_source"
            )
        }
    }

    /// The kind as a store's header has it.
    var kind: String {
        switch self {
        case .keyFile: "keyfile"
        case .passphrase, .passphraseFile: "passphrase"
        case .environment: "env"
        case .command: "command"
        case .systemdCredential: "systemd-credential"
        case .secretService: "secret-service"
        }
    }

    /// What it is, for a sentence; of a command only that it is one, since its line may hold a secret.
    var words: String {
        switch self {
        case .command: "a key command"
        default: text
        }
    }

    /// What `init` reads, with paths that hold everywhere.
    var text: String {
        switch self {
        case .keyFile(let path): "keyfile:\(path)"
        case .passphrase: "passphrase"
        case .passphraseFile(let path): "passphrase-file:\(path)"
        case .environment(let name): "env:\(name)"
        case .command(let line): "command:\(line)"
        case .systemdCredential(let name): "systemd-credential:\(name)"
        case .secretService: "secret-service"
        }
    }
}
