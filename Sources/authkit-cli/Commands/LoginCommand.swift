internal import AuthKitCore

/// `login`: signs in and stores the tokens; or registers the scheme that the answer comes back by.
enum LoginCommand {
    static let shape = CommandShape(
        "login",
        summary: "sign in and store the tokens",
        details: [
            "Opens the issuer's page in a browser ($BROWSER, else the desktop's) and waits for its answer, five minutes "
                + "unless --timeout says otherwise. The address is printed first, so that it can be opened elsewhere.",
            "A profile whose first redirect URI has a scheme of its own, such as com.example.app:/callback, gets its answer "
                + "through `authkit callback`: run `authkit login --register-scheme` once. So does --provider niantic.",
            "That provider's answer does not prove which sign-in it belongs to: who it is for is shown before anything is "
                + "sent, and confirmed on a terminal. Another account than the stored one needs --switch-account.",
        ],
        operands: [.profile],
        flags: [
            Flag("no-browser", help: "print the address only"),
            Flag("callback-url", .text("-"), help: "read the final address from standard input"),
            Flag(
                "register-scheme",
                help: "let the desktop hand the redirect URI's scheme to authkit; does not sign in"
            ),
            Flag("unregister-scheme", help: "undo that; does not sign in"),
            Flag("switch-account", help: "allow another account than the stored one, where that must be said"),
        ] + ProfileSession.flags,
        examples: [
            "authkit login", "authkit login work --no-browser", "authkit login work --callback-url -",
            "authkit login mobile --register-scheme",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        if arguments.has("register-scheme") || arguments.has("unregister-scheme") {
            guard arguments.has("register-scheme") != arguments.has("unregister-scheme") else {
                throw UsageError("Choose one of --register-scheme and --unregister-scheme.", command: shape)
            }
            return try registerScheme(invocation, isRemoval: arguments.has("unregister-scheme"))
        }
        // Asked before a store is made for nothing.
        if try NianticProfile.needsPerson(invocation.profile().profile) {
            try SignInFlow.checkThatSomebodyCanAnswer(invocation)
        }
        let opened = try await ProfileSession.open(invocation, creating: true)
        let report = try await SignInFlow(invocation, opened, writesEvents: true).run()
        try say(report, opened.name, invocation)
        return .done
    }

    private static func say(_ report: SignInReport, _ name: String, _ invocation: Invocation) throws {
        let console = invocation.console
        let expiry = report.expiry.shownTime(at: invocation.time.now)
        if report.joined { console.say("Another login of \(name) has just finished; this is its result.") }
        if let before = report.replaced {
            console.warn("\(before.displayName ?? before.subject) was signed in to \(name) before.")
        }
        let who = report.account.map { " as \($0.displayName ?? $0.subject)" } ?? ""
        let until = expiry.map { "; the access token lives until \($0)" } ?? ""
        console.say("Signed in to \(name)\(who)\(until).")
        if let failure = report.tokenFailure {
            let sentence = CommandFailure(describing: failure).message
            console.warn("There is no access token yet, and `authkit token` tries again: \(sentence)")
        }
        guard console.style.json else { return }
        var event: JSONObject = [
            "event": "signed_in", "profile": .string(name),
            "subject": report.account.map { .string($0.subject) } ?? .null,
            "expires_at": expiry.map { .string($0.description) } ?? .null,
        ]
        event["account"] = report.account?.displayName.map { .string($0) }
        try console.data(.object(event))
    }

    private static func registerScheme(_ invocation: Invocation, isRemoval: Bool) throws -> ExitCode {
        let (name, profile) = try invocation.profile()
        let redirects =
            profile.provider == "niantic" ? NianticProfile(profile).redirectURIs : profile.all("redirect-uri")
        let uris = redirects.compactMap { CallbackURL($0) }
        guard let scheme = uris.first(where: \.isPrivateUse)?.scheme else {
            throw CommandFailure.configuration(
                "The profile \(name) has no redirect URI with a scheme of its own; set one with "
                    + (profile.provider == "niantic"
                        ? "`authkit profile edit \(name) --redirect-type nsdk-external`."
                        : "`authkit profile edit \(name) --redirect-uri com.example.app:/callback`.")
            )
        }
        let registration = try SchemeRegistration(scheme: scheme, invocation: invocation)
        if isRemoval {
            try registration.remove()
            invocation.console.say("Addresses that begin with \(scheme): are no longer handed to authkit.")
        } else {
            try registration.write()
            invocation.console.say(
                "Addresses that begin with \(scheme): are handed to authkit now. Sign in with: authkit login \(name)"
            )
        }
        if invocation.console.style.json {
            try invocation.console.data([
                "profile": .string(name), "scheme": .string(scheme), "registered": .bool(!isRemoval),
            ])
        }
        return .done
    }
}
