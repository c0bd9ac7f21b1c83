internal import AuthKitCore

/// `store init`: makes the store, and writes down where its key comes from.
enum StoreInitCommand {
    static let shape = CommandShape(
        "store init",
        summary: "make the store and choose where its key comes from",
        details: [
            "Without this the first login makes the store, with a key file in the configuration directory. The key source "
                + "that is named here is written into the configuration, for all later commands on this store; another "
                + "store that --store names has a line of its own.",
            "A store that is there already is left alone (78): `authkit store rekey --to SOURCE` changes its key source. Where "
                + "the source that is named opens it and the configuration does not say so, that is written down.",
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
        let setting = KeySourceSetting(invocation, of: address)
        let choice = try setting.choice()
        guard address != .memory else {
            throw UsageError("A store in memory ends with this command; name one that stays.", command: shape)
        }
        let source = try opening.keySource(choice.name)
        guard try await make(setting, choice, source, invocation) else {
            return try await complete(setting, choice, source, invocation)
        }
        invocation.console.say(
            "The store \(address.text) is made; its key: \(choice.name.text)\(setting.remark(on: choice.name))"
        )
        return try tell(setting, choice, isMade: true, invocation)
    }

    /// Makes the store; false where there is one.
    ///
    /// The configuration names the key source before there is a store that needs it, all under the configuration's lock:
    /// a death leaves no store that later commands do not open, and of several at once one makes it and the others
    /// find it complete.
    private static func make(
        _ setting: KeySourceSetting,
        _ choice: KeySourceSetting.Choice,
        _ source: any KeySource,
        _ invocation: Invocation
    ) async throws -> Bool {
        let opening = StoreOpening(invocation)
        guard try await !opening.hasStore(at: setting.address) else { return false }
        // A person may take minutes: asked before others wait for the lock.
        try await (source as? PromptedPassphrase)?.askAhead()
        return try await invocation.configurationFile.exclusively { file in
            guard try await !opening.hasStore(at: setting.address) else { return false }
            guard choice.origin != .nobody else {
                _ = try await opening.vault(at: setting.address, creating: true, prepared: source) { choice }
                return true
            }
            let before = try file.edit { configuration in
                let before = configuration
                _ = setting.write(choice.name, into: &configuration)
                return before
            }
            do {
                _ = try await opening.vault(at: setting.address, creating: true, prepared: source) { choice }
            } catch {
                // No store, no setting. Where this cannot be written either, the same line run again mends it.
                _ = try? file.edit { $0 = before }
                throw error
            }
            return true
        }
    }

    /// Writes down the key source of a store that is there and that it opens; 78 where there is nothing to do.
    private static func complete(
        _ setting: KeySourceSetting,
        _ choice: KeySourceSetting.Choice,
        _ source: any KeySource,
        _ invocation: Invocation
    ) async throws -> ExitCode {
        let place = "There is a store at \(setting.address.text) already"
        let change = "`authkit store rekey\(invocation.places.storeFlagToType) --to SOURCE` changes its key source."
        do {
            _ = try await StoreOpening(invocation)
                .vault(at: setting.address, creating: false, prepared: source) { choice }
        } catch let error as VaultError where error.code == .otherKeySource || error.code == .wrongKey {
            throw CommandFailure.configuration(
                "\(place), and its key is not that of \(choice.name.words); \(change)",
                code: "store_exists"
            )
        }
        let isNamed = [.flag("--key-source"), .variable].contains(choice.origin)
        let isWritten = try await invocation.configurationFile.edit { configuration in
            // What later commands find without it needs no line of its own.
            guard isNamed, try setting.standing(in: configuration).name != choice.name else { return false }
            return setting.write(choice.name, into: &configuration)
        }
        guard isWritten else { throw CommandFailure.configuration("\(place); \(change)", code: "store_exists") }
        invocation.console.say("\(place); later commands find its key now: \(choice.name.text)")
        return try tell(setting, choice, isMade: false, invocation)
    }

    private static func tell(
        _ setting: KeySourceSetting,
        _ choice: KeySourceSetting.Choice,
        isMade: Bool,
        _ invocation: Invocation
    ) throws -> ExitCode {
        if invocation.console.style.json {
            try invocation.console.data([
                "store": .string(setting.address.text), "key_source": .string(choice.name.text),
                "made": .bool(isMade),
            ])
        }
        return .done
    }
}
