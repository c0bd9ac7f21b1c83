internal import AuthKitCore

/// `store init`: makes the store, and writes down where its key comes from.
enum StoreInitCommand {
    static let shape = CommandShape(
        "store init",
        summary: "make the store and choose where its key comes from",
        details: [
            "Without this the first login makes the store, with a key file in the configuration directory. The key source "
                + "that is named here is written into the configuration, for all later commands.",
            "A store that is there already is left alone (78): `authkit store rekey --to SOURCE` changes its key source.",
        ],
        examples: [
            "authkit store init", "authkit store init --key-source passphrase",
            "authkit store init --key-source keyfile:/media/stick/authkit.key",
            "authkit store init --store file:/srv/tokens --key-source systemd-credential:authkit",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let opening = StoreOpening(invocation)
        let address = try invocation.places.store
        let source = try opening.keySourceName()
        guard address != .memory else {
            throw UsageError("A store in memory ends with this command; name one that stays.", command: shape)
        }
        let isThere: Bool
        do {
            isThere = try await opening.vault(creating: false) != nil
        } catch let error as VaultError where error.code == .otherKeySource || error.code == .wrongKey {
            isThere = true
        }
        guard !isThere else {
            throw CommandFailure.configuration(
                "There is a store at \(address.text) already; `authkit store rekey --to SOURCE` changes its key source.",
                code: "store_exists"
            )
        }
        _ = try await opening.vault(creating: true)
        if try opening.keySourceText() != nil {
            try await invocation.configurationFile.edit { $0.keySource = source.text }
        }
        invocation.console.say("The store \(address.text) is made; its key: \(source.text)")
        if invocation.console.style.json {
            try invocation.console.data(["store": .string(address.text), "key_source": .string(source.text)])
        }
        return .done
    }
}
