internal import AuthKitCore

/// `store import`: takes what an export holds into the store.
enum StoreImportCommand {
    static let shape = CommandShape(
        "store import",
        summary: "take the credentials of an exported file into the store",
        details: [
            "The whole file is checked before anything is written. What is stored already is kept, sign-outs too, unless "
                + "--replace is given."
        ],
        operands: [Operand("FILE", completion: .file)],
        flags: [
            HeldStore.passphraseFlag,
            Flag("replace", help: "let the file's credentials replace those stored here"),
        ],
        examples: [
            "authkit store import tokens.authkit",
            "authkit store import tokens.authkit --replace --passphrase-file words",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let held = HeldStore(invocation)
        let path = invocation.places.absolute(invocation.arguments.operands[0])
        guard FileStatus(path) != nil else {
            throw CommandFailure.inputOutput("There is no file \(path); name an exported file that is there.")
        }
        let passphrase = try await held.passphrase(isNew: false)
        guard let vault = try await StoreOpening(invocation).vault(creating: true) else { return .software }
        let report = try await vault.importCredentials(
            from: path,
            passphrase: passphrase,
            replacing: invocation.arguments.has("replace"),
            progress: held.progress("records read")
        )
        invocation.console.say(
            "\(CountedRecords(report.added)) new here, \(report.replaced) replaced others, "
                + "\(report.kept) \(report.kept == 1 ? "was" : "were") left out for what is stored already."
        )
        if invocation.console.style.json {
            try invocation.console.data([
                "added": .integer(Int64(report.added)), "replaced": .integer(Int64(report.replaced)),
                "kept": .integer(Int64(report.kept)),
            ])
        }
        return .done
    }
}
