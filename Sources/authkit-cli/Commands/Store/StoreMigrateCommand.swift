internal import AuthKitCore

/// `store migrate`: copies everything into another store, and compares it there.
enum StoreMigrateCommand {
    static let shape = CommandShape(
        "store migrate",
        summary: "copy all credentials into another store, verified",
        details: [
            "Each record is read back from the new store and compared. The old store is not touched, unless --purge-source is "
                + "given: then its records are removed after all were compared. It may be interrupted and run again.",
            "Until the old store is emptied both hold the same tokens, and one that works once can be spent by one of them "
                + "only: the other is signed out by that. Use the new store alone from then on.",
            "What the new store holds already is kept, unless it is an older state of the same sign-in or --replace is given; "
                + "what is kept is named, stays in the old store, and it ends with 1 then.",
            "Name the new store from then on: --store, or AUTHKIT_STORE.",
        ],
        flags: [
            Flag("to", .text("URL"), help: "the new store: sqlite:PATH, file:DIR, postgres://…"),
            Flag("to-key-source", .text("SOURCE"), help: "its key source; without it the old store's"),
            Flag("replace", help: "replace what the new store holds of the same credentials"),
            Flag("purge-source", help: "remove the records from the old store once all are compared"),
        ],
        examples: [
            "authkit store migrate --to file:/srv/tokens",
            "authkit store migrate --store file:/srv/tokens --to sqlite:/srv/tokens.db --purge-source",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let held = HeldStore(invocation)
        let opening = StoreOpening(invocation)
        let arguments = invocation.arguments
        guard let text = arguments.value("to") else {
            throw UsageError("Name the new store: --to sqlite:PATH, file:DIR or postgres://….", command: shape)
        }
        let address = try StoreAddress(text, from: "--to", absolute: invocation.places.absolute)
        guard address != .memory else {
            throw UsageError("A store in memory ends with this command; name one that stays.", command: shape)
        }
        let name = try arguments.value("to-key-source").map { text in
            try KeySourceName(text, absolute: invocation.places.absolute)
        }
        let source = try await held.vault()
        let setting = KeySourceSetting(invocation, of: address)
        let choice = try choice(setting, name, invocation)
        guard let target = try await opening.vault(at: address, creating: true, choice: { choice }) else {
            return .software
        }
        // Later commands are to find the new store's key, whatever the old one's source stood under.
        try await invocation.configurationFile.edit { configuration in
            guard try setting.standing(in: configuration).name != choice.name else { return }
            _ = setting.write(choice.name, into: &configuration)
        }
        let report = try await source.migrate(
            to: target,
            replacing: arguments.has("replace"),
            purgingSource: arguments.has("purge-source"),
            progress: held.progress("records compared")
        )
        return try await tell(report, from: source, at: address, held, invocation)
    }

    /// The new store's key source: the one that is named, the one written down for it, or the old store's.
    private static func choice(
        _ setting: KeySourceSetting,
        _ name: KeySourceName?,
        _ invocation: Invocation
    ) throws -> KeySourceSetting.Choice {
        if let name { return .init(name: name, origin: .flag("--to-key-source")) }
        let configuration = try invocation.configurationFile.load()
        if setting.written(in: configuration) != nil { return try setting.standing(in: configuration) }
        return try KeySourceSetting(invocation, of: try invocation.places.store).choice()
    }

    private static func tell(
        _ report: MigrationReport,
        from source: Vault,
        at address: StoreAddress,
        _ held: HeldStore,
        _ invocation: Invocation
    ) async throws -> ExitCode {
        let console = invocation.console
        console.say(
            "\(CountedRecords(report.copied, past: true)) copied to \(address.text) and compared, "
                + "\(report.present) \(report.present == 1 ? "was" : "were") there already."
        )
        if report.copied + report.present > report.purged {
            console.warn(
                "\(try held.name) and \(address.text) hold the same tokens now, and a token that works once can be spent by "
                    + "one of them only: use \(address.text) from now on, and empty the other with --purge-source."
            )
        }
        if report.purged > 0 {
            console.say("\(CountedRecords(report.purged, past: true)) removed from \(try held.name).")
        }
        for id in report.kept {
            console.insist("\(address.text) holds something else of \(id.slot), which was kept; --replace replaces it.")
        }
        if console.style.json {
            try console.data([
                "copied": .integer(Int64(report.copied)), "present": .integer(Int64(report.present)),
                "kept": .array(report.kept.map { .string($0.slot) }), "purged": .integer(Int64(report.purged)),
                "damaged": .integer(Int64(report.damaged.count)),
            ])
        }
        let damaged = try await held.exit(report.damaged, in: source)
        if damaged.number != ExitCode.done.number { return damaged }
        return report.kept.isEmpty ? .done : .negative
    }
}
