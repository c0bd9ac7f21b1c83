internal import AuthKitCore

/// `store check`: proves that the store can be written, and opens every record.
enum StoreCheckCommand {
    static let shape = CommandShape(
        "store check",
        summary: "prove that the store can be written, and open every record",
        details: [
            "Records that were tampered with are named, and it ends with 65 then. Nothing is changed but a counter that "
                + "proves that writing works.",
            "--purge-damaged removes the records that open under no key, for good, and names them: they hold up a change "
                + "of the data key. It ends with 0 when nothing damaged is left.",
        ],
        flags: [Flag("purge-damaged", help: "remove the records that open under no key")],
        examples: ["authkit store check", "authkit store check --json", "authkit store check --purge-damaged"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let held = HeldStore(invocation)
        let vault = try await held.vault()
        try await vault.probe()
        let records = DamagedRecords(in: vault, profiles: try invocation.configurationFile.load().profiles)
        let isPurging = invocation.arguments.has("purge-damaged")
        let removal = isPurging ? try await records.purge() : DamagedRecords.Removal()
        let found = try await records.examine()
        for sentence in removal.removed + removal.failures + found.sentences { invocation.console.insist(sentence) }
        if found.sentences.isEmpty {
            invocation.console.say("\(try held.name): \(CountedRecords.noun(found.intact)), all in order.")
        }
        if invocation.console.style.json {
            var document: JSONObject = [
                "store": .string(try held.name), "intact": .integer(Int64(found.intact)),
                "damaged": .array(found.sentences.map { .string($0) }),
            ]
            if isPurging { document["removed"] = .array(removal.removed.map { .string($0) }) }
            try invocation.console.data(.object(document))
        }
        return found.sentences.isEmpty ? .done : .badData
    }
}
