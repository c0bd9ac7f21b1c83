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

    /// Reads `keyfile:PATH`, `passphrase`, `passphrase-file:PATH` or `env:NAME`.
    init(_ text: String, absolute: (String) -> String) throws(CommandFailure) {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = halves.count > 1 ? String(halves[1]) : ""
        switch (halves[0], rest.isEmpty) {
        case ("keyfile", false): self = .keyFile(absolute(rest))
        case ("passphrase", true): self = .passphrase
        case ("passphrase-file", false): self = .passphraseFile(absolute(rest))
        case ("env", false): self = .environment(rest)
        default:
            throw .configuration(
                "\(SafeText.quoted(text)) is no key source that this build knows; "
                    + "use keyfile:PATH, passphrase, passphrase-file:PATH or env:NAME.",
                code: "unknown_key_source"
            )
        }
    }
}
