internal import AuthKitCore

/// `list`: every credential in the store, from metadata alone.
enum ListCommand {
    static let shape = CommandShape(
        "list",
        summary: "list every credential: provider, account, expiry, state",
        details: [
            "Opens no token. A record that was tampered with is named, the others are listed; ends with 65 then."
        ],
        examples: ["authkit list", "authkit list --json"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let profiles = try invocation.configurationFile.load().profiles
        let vault = try await StoreOpening(invocation).vault(creating: false)
        let listing = try await vault?.listing()
        let now = invocation.time.now
        var rows: [StatusDocument] = []
        for summary in listing?.summaries ?? [] {
            rows.append(
                StatusDocument(
                    name: summary.id.slot,
                    provider: summary.id.provider.name,
                    summary: summary,
                    isRenewing: await StatusDocument.isRenewing(summary, in: vault, invocation),
                    now: now
                )
            )
        }
        if invocation.console.style.json {
            try invocation.console.data(.array(rows.map { .object($0.document(withTokens: false)) }))
        } else if rows.isEmpty {
            invocation.console.say("Nothing is stored; sign in with `authkit login`.")
        } else {
            let cells = zip(rows, listing?.summaries ?? []).map { row, summary in
                [
                    summary.id.slot, summary.id.provider.name, row.account ?? "", row.state,
                    row.accessExpiry.wallTime(at: now)?.description ?? "",
                ]
            }
            try invocation.console.data(TextTable(["PROFILE", "PROVIDER", "ACCOUNT", "STATE", "EXPIRES"], cells).text)
        }
        guard let vault, let damaged = listing?.damaged, !damaged.isEmpty else { return .done }
        let records = DamagedRecords(in: vault, profiles: profiles)
        for sentence in try await records.sentences(damaged) { invocation.console.insist(sentence) }
        return .badData
    }
}
