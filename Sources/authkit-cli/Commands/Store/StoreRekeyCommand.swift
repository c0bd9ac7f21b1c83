internal import AuthKitCore

/// `store rekey`: changes the key that wraps the store's data key, or the data key itself.
enum StoreRekeyCommand {
    static let shape = CommandShape(
        "store rekey",
        summary: "change the store's key source, passphrase or data key",
        details: [
            "--to SOURCE wraps the store's data key under another source, at once; the configuration then names it. "
                + "Without it the source stays and is asked anew: a new passphrase, for example. Run it again if it was cut "
                + "short.",
            "--data-key draws a new data key and seals every record anew: after a key has come into strange hands. It may be "
                + "interrupted at any time and goes on when it is run again; other commands work meanwhile. Records that do "
                + "not open keep the old key in the store until they are replaced or removed.",
        ],
        flags: [
            Flag("to", .text("SOURCE"), help: "the new key source, written as for --key-source"),
            Flag("data-key", help: "seal every record anew under a new data key"),
        ],
        examples: [
            "authkit store rekey --to passphrase", "authkit store rekey --data-key",
            "authkit store rekey --to keyfile:/media/stick/authkit.key --data-key",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let opening = StoreOpening(invocation)
        let held = HeldStore(invocation)
        let arguments = invocation.arguments
        let target = try arguments.value("to").map { try KeySourceName($0, absolute: invocation.places.absolute) }
        let setting = KeySourceSetting(invocation, of: try invocation.places.store)
        let old = try setting.choice().name
        let (vault, isWrapped) = try await vault(held, opening, orBy: target, invocation)
        var document: JSONObject = ["store": .string(try held.name)]
        if let target {
            try await change(vault, to: target, isWrapped: isWrapped, setting, invocation)
            tellOfLeftovers(of: old, after: target, invocation)
            document["key_source"] = .string(target.text)
        } else if !arguments.has("data-key") {
            try await vault.rekey(to: try opening.keySource(old))
            invocation.console.say("The store's key is wrapped anew; its key source: \(old.text)")
            document["key_source"] = .string(old.text)
        }
        guard arguments.has("data-key") else {
            if invocation.console.style.json { try invocation.console.data(.object(document)) }
            return .done
        }
        let report = try await vault.rekeyData(progress: held.progress("records sealed anew"))
        invocation.console.say("\(CountedRecords(report.moved)) sealed anew.")
        document["records"] = .integer(Int64(report.moved))
        document["damaged"] = .integer(Int64(report.damaged.count))
        if invocation.console.style.json { try invocation.console.data(.object(document)) }
        let exit = try await held.exit(report.damaged, in: vault)
        if !report.damaged.isEmpty {
            invocation.console.insist(
                "Because of what does not open the old data key stays in the store: sign in again, or remove it with "
                    + "`\(DamagedRecords.removal)`, then run `authkit store rekey --data-key` again."
            )
        }
        return exit
    }

    /// Opens the store, by the new source where the old one no longer does: then the key was wrapped by a run that was
    /// cut short before the configuration named the new source.
    private static func vault(
        _ held: HeldStore,
        _ opening: StoreOpening,
        orBy target: KeySourceName?,
        _ invocation: Invocation
    ) async throws -> (vault: Vault, isWrapped: Bool) {
        do {
            return (try await held.vault(), false)
        } catch let failure as VaultError where failure.code == .wrongKey || failure.code == .otherKeySource {
            guard let target else { throw failure }
            do {
                let vault = try await opening.vault(at: try invocation.places.store, creating: false) {
                    .init(name: target, origin: .flag("--to"))
                }
                guard let vault else { throw failure }
                return (vault, true)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // Neither is the store's: the one that all commands use is told.
                Trace.note("The new key source does not open the store either: \(error)")
                throw failure
            }
        }
    }

    /// Wraps the key for the new source and makes later commands find it: in the configuration, unless the environment
    /// goes before it.
    ///
    /// Both under the configuration's lock, so that of two at once the same one is the last in both. A death between
    /// them leaves a store whose error names the way on: the same line again.
    private static func change(
        _ vault: Vault,
        to target: KeySourceName,
        isWrapped: Bool,
        _ setting: KeySourceSetting,
        _ invocation: Invocation
    ) async throws {
        let source = try StoreOpening(invocation).keySource(target)
        // A person may take minutes: asked before others wait for the lock.
        if !isWrapped { try await (source as? PromptedPassphrase)?.askAhead() }
        try await invocation.configurationFile.exclusively { file in
            if !isWrapped { try await vault.rekey(to: source) }
            try file.edit { _ = setting.write(target, into: &$0) }
        }
        let deed = isWrapped ? "was wrapped for it already, and later commands find it now" : "is wrapped anew"
        invocation.console.say("The store's key \(deed); its key source: \(target.text)\(setting.remark(on: target))")
        if invocation.environment["AUTHKIT_KEY_SOURCE"] != nil {
            invocation.console.insist("AUTHKIT_KEY_SOURCE still names the old key source: change or unset it.")
        }
    }

    /// Says that a key file is left, which opened the store up to now.
    private static func tellOfLeftovers(
        of old: KeySourceName,
        after target: KeySourceName,
        _ invocation: Invocation
    ) {
        guard case .keyFile(let path) = old, old != target, FileStatus(path) != nil else { return }
        invocation.console.say("The key file \(path) no longer opens it; unless another store needs it, remove it.")
    }
}
