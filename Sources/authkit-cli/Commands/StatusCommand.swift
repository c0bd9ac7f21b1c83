internal import AuthKitCore

/// `status`: what is held for a profile; asks no server.
enum StatusCommand {
    static let shape = CommandShape(
        "status",
        summary: "say what is held, for whom, how long it lives, and what happens next",
        details: ["Reads the store only; no server is asked. Ends with 0 whatever the state."],
        operands: [.profile],
        examples: ["authkit status work", "authkit status work --json"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let (name, profile) = try invocation.profile()
        let id = ProfileBuilder.credentialID(name, profile)
        let vault = try await StoreOpening(invocation).vault(creating: false)
        let summary = try await vault?.summary(of: id)
        let status = StatusDocument(
            name: name,
            provider: profile.provider,
            summary: summary,
            isRenewing: await StatusDocument.isRenewing(summary, in: vault, invocation),
            needsPerson: NianticProfile.needsPerson(profile),
            now: invocation.time.now
        )
        if invocation.console.style.json {
            try invocation.console.data(.object(status.document(withTokens: true)))
        } else {
            try invocation.console.data(status.text)
        }
        return .done
    }
}
