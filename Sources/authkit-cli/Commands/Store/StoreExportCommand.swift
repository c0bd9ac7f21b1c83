internal import AuthKitCore

/// `store export`: writes everything into one file that a passphrase opens.
enum StoreExportCommand {
    static let shape = CommandShape(
        "store export",
        summary: "write all credentials into a new file that a passphrase opens",
        details: [
            "The file is new and 0600; it holds every token, sealed under the passphrase. It is for another store to take "
                + "over from: used beside this one, tokens that work once would be spent twice.",
            "Records that were tampered with are left out and named; it ends with 65 then.",
        ],
        operands: [Operand("FILE", completion: .file)],
        flags: [HeldStore.passphraseFlag],
        examples: [
            "authkit store export tokens.authkit", "authkit store export tokens.authkit --passphrase-file words",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let held = HeldStore(invocation)
        let path = invocation.places.absolute(invocation.arguments.operands[0])
        let vault = try await held.vault()
        let passphrase = try await held.passphrase(isNew: true)
        let report = try await vault.export(
            to: path,
            passphrase: passphrase,
            progress: held.progress("records written")
        )
        invocation.console.say("\(CountedRecords(report.exported)) in \(path).")
        if invocation.console.style.json {
            try invocation.console.data([
                "file": .string(path), "records": .integer(Int64(report.exported)),
                "damaged": .integer(Int64(report.damaged.count)),
            ])
        }
        return try await held.exit(report.damaged, in: vault)
    }
}
