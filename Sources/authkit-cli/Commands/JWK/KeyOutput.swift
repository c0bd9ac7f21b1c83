internal import AuthKitCore

/// Writes a key that others must not see: to a new file of its owner's, or to standard output.
enum KeyOutput {
    /// `--out`.
    static let flag = Flag("out", .file("FILE|-"), help: "write the key to this new file, 0600; - prints it as usual")

    /// The file that is named; nil where the key is printed.
    static func file(_ invocation: Invocation) throws(UsageError) -> String? {
        guard let typed = invocation.arguments.value(flag.name), typed != "-" else { return nil }
        if let look = SecretLook(typed), look.isCertain {
            throw UsageError(
                "--out takes the name of a new file, not \(look.name).",
                command: invocation.arguments.shape
            )
        }
        return invocation.places.absolute(typed)
    }

    /// Writes a key's text; with `--out` it says where, and with `--json` what the public half is.
    static func write(_ text: String, _ publicKey: JWK, _ invocation: Invocation) throws {
        guard let path = try file(invocation) else { return try invocation.console.data(text) }
        try PrivatePlace.create(path, with: Array(text.utf8))
        invocation.console.say("The key is in \(path).")
        guard invocation.console.style.json else { return }
        try invocation.console.data(["file": .string(path), "public": .object(publicKey.members)])
    }

    /// A JWK's text: one line.
    static func text(_ members: JSONObject) -> String {
        String(decoding: members.serialized(), as: UTF8.self) + "\n"
    }
}
