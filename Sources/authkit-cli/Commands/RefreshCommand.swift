internal import AuthKitCore

/// `refresh`: fetches a new access token now.
enum RefreshCommand {
    static let shape = CommandShape(
        "refresh",
        summary: "refresh the access token now",
        details: [
            "Several at once share one refresh. What cannot be refreshed, such as a developer token, stays as it is while it "
                + "is good; 77 when it is not."
        ],
        operands: [.profile],
        flags: ProfileSession.flags,
        examples: ["authkit refresh work"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let opened = try await ProfileSession.open(invocation)
        let issued = try await opened.session.token(for: TokenRequest(reason: .forced), validFor: .zero)
        if let failure = issued.renewalFailure { throw failure }
        let times = ExpiryText(issued.token.expiry, now: invocation.time.now)
        invocation.console.say(
            issued.refreshed
                ? "Refreshed \(opened.name): \(times.words)."
                : "The token of \(opened.name) is not one that is refreshed; it stays: \(times.words)."
        )
        if invocation.console.style.json {
            try invocation.console.data([
                "profile": .string(opened.name), "refreshed": .bool(issued.refreshed), "expires_at": times.at,
                "expires_in": times.left,
            ])
        }
        return .done
    }
}
