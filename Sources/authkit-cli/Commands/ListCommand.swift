internal import AuthKitCore

/// `list`: every credential in the store, from metadata alone.
enum ListCommand {
    static let shape = CommandShape(
        "list",
        summary: "list every credential: provider, account, expiry, state",
        details: [
            "Opens no token. A record that was tampered with is named on standard error, in a sentence with --json too; the "
                + "others are listed on standard output, and it ends with 65 then.",
            "A credential that no profile names is marked; `authkit logout NAME` removes it.",
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
        let orphans = (listing?.summaries ?? []).map { ProfileBuilder.profile(of: $0.id, among: profiles) == nil }
        if invocation.console.style.json {
            let objects = zip(rows, orphans).map { row, isOrphan -> JSONValue in
                var object = row.document(withTokens: false)
                if isOrphan { object["orphaned"] = true }
                return .object(object)
            }
            try invocation.console.data(.array(objects))
        } else if rows.isEmpty {
            if listing?.damaged.isEmpty != false {
                invocation.console.say("Nothing is stored; sign in with `authkit login`.")
            }
        } else {
            let cells = zip(zip(rows, orphans), listing?.summaries ?? []).map { row, summary in
                let (row, isOrphan) = row
                return [
                    summary.id.slot, summary.id.provider.name, row.account ?? "",
                    row.state + (isOrphan ? " (no profile)" : ""),
                    row.accessExpiry.shownTime(at: now)?.description ?? "",
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
