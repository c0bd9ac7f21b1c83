internal import AuthKitCore

/// `callback`: hands a private-use-scheme URL to the login that waits for it.
enum CallbackCommand {
    static let shape = CommandShape(
        "callback",
        summary: "hand the final address of a sign-in to the login that waits for it",
        details: [
            "The desktop runs this for a scheme that `authkit login --register-scheme` has registered. 0: taken; 1: no "
                + "login waits; 65: not a URL; 76: it belongs to no login that waits."
        ],
        operands: [Operand("URL", mayBeEmpty: true)],
        examples: ["authkit callback 'com.example.app:/callback?code=…&state=…'", "authkit callback - < address"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let operand = invocation.arguments.operands[0]
        let text: String
        if operand == "-" {
            text = try await invocation.surroundings.input.line(limit: Rendezvous.limit).trimmingSpaces()
        } else {
            // The URL carries a code: other processes shall not read it for longer than it takes to get here.
            invocation.surroundings.eraseArgument(operand)
            text = operand
        }
        guard let url = CallbackURL(text), url.answer != nil else {
            throw CommandFailure(
                .badData,
                "malformed",
                "That is not a URL; hand over the whole final address.",
                remedy: .retry(after: nil)
            )
        }
        switch Rendezvous.offer(
            url.text,
            in: try invocation.places.socketDirectories,
            user: invocation.environment.user
        ) {
        case .accepted:
            invocation.console.say("Handed over; the login goes on.")
            return .done
        case .refused:
            throw CommandFailure(
                .protocolViolation,
                "wrong_callback",
                "That address belongs to no login that waits; finish the sign-in in the page that was opened last.",
                remedy: .retry(after: nil)
            )
        case .busy:
            throw CommandFailure(
                .protocolViolation,
                "login_busy",
                "The login that waits is trying another answer; when it says that it waits again, go through the sign-in "
                    + "page once more.",
                remedy: .retry(after: nil)
            )
        case nil:
            throw CommandFailure(
                .negative,
                "no_login_waits",
                "No login waits for that address; run `authkit login` and sign in again.",
                remedy: .signInAgain
            )
        }
    }
}
