internal import AuthKitCore

/// Writes a key that others must not see: to a new file of its owner's, or to standard output.
enum KeyOutput {
    /// `--out`.
    static let flag = Flag("out", .file("FILE"), help: "write the key to this new file, 0600, instead of printing it")

    /// Writes a key's text; with `--out` it says where, and with `--json` what the public half is.
    static func write(_ text: String, _ publicKey: JWK, _ invocation: Invocation) throws {
        guard let typed = invocation.arguments.value(flag.name) else { return try invocation.console.data(text) }
        let path = invocation.places.absolute(typed)
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
