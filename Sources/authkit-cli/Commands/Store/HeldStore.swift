internal import AuthKitCore

/// What the commands about the store share: opening one that must be there, and telling how far the work is.
struct HeldStore: Sendable {
    private let invocation: Invocation

    /// Makes one for a run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Where it is, for people.
    var name: String {
        get throws(CommandFailure) { try invocation.places.store.text }
    }

    /// Opens it; 1 where there is none.
    func vault() async throws -> Vault {
        guard let vault = try await StoreOpening(invocation).vault(creating: false) else {
            throw CommandFailure(
                .negative,
                "no_store",
                "There is no store at \(try name) yet; `authkit store init` or the first login makes it."
            )
        }
        return vault
    }

    /// Tells a person at a terminal how many records are done, now and then.
    func progress(_ deed: String) -> @Sendable (Int) -> Void {
        guard invocation.surroundings.sink.isTerminal else { return { _ in } }
        let console = invocation.console
        return { count in
            if count.isMultiple(of: 1000) { console.say("\(count) \(deed) …") }
        }
    }

    /// Says which records do not open; 65 where there are any.
    func exit(_ damaged: [RecordKey], in vault: Vault) async throws -> ExitCode {
        guard !damaged.isEmpty else { return .done }
        let records = DamagedRecords(in: vault, profiles: try invocation.configurationFile.load().profiles)
        for sentence in try await records.sentences(damaged) { invocation.console.insist(sentence) }
        return .badData
    }

    /// The flag that names a file with an export's passphrase.
    static let passphraseFlag = Flag(
        "passphrase-file",
        .file("FILE"),
        help: "read the file's passphrase from here instead of asking for it"
    )

    /// The passphrase of an export, from `--passphrase-file` or a person.
    func passphrase(isNew: Bool) async throws -> SecretBytes {
        guard let typed = invocation.arguments.value(Self.passphraseFlag.name) else {
            let ask = StoreOpening(invocation).asking("the exported file", instead: "--passphrase-file FILE")
            return try await ask(isNew)
        }
        return try PassphraseFile.contents(
            of: invocation.places.absolute(typed),
            insecureLooseModes: invocation.insecureFileModes,
            remedy: "name another with --passphrase-file"
        )
    }
}
