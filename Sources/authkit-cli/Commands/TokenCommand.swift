internal import AuthKitCore

/// `token`: prints an access token, refreshed if needed.
enum TokenCommand {
    static let shape = CommandShape(
        "token",
        summary: "print a valid access token, refreshing it if needed",
        details: [
            "At most one refresh is made. When a refresh fails for now, the stored token is printed while it lives, with a "
                + "warning, unless --min-ttl was given and it no longer meets that. Never opens a browser without --login."
        ],
        operands: [.profile],
        flags: [
            Flag("min-ttl", .text("SECONDS"), help: "how long the token must live at least; 60 unless given"),
            Flag("format", .choice(["raw", "header", "json", "env"]), help: "how it is written; raw unless given"),
            Flag("id-token", help: "print the ID token instead"),
            Flag("audience", .text("NAME"), help: "a token for this audience"),
            Flag("scope", .text("SCOPE"), help: "a token with no more than this scope"),
            Flag("login", help: "sign in through a browser if that is needed"),
            Flag("no-browser", help: "with --login, print the address only"),
        ] + ProfileSession.flags,
        examples: [
            "authkit token work", "curl -H \"$(authkit token work --format header)\" https://api.example/me",
            "authkit token work --min-ttl 600 --format json",
        ],
        run: run
    )

    /// How long a token must live at least when nothing is asked for.
    static let usualLifetime: Duration = .seconds(60)

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let least = try arguments.seconds("min-ttl")
        let opened: ProfileSession
        do {
            let canSignIn = arguments.has("login") && SignInFlow.canBeAnswered(invocation)
            opened = try await ProfileSession.open(invocation, creating: canSignIn)
        } catch let error as SessionError where error.reason == .signInNeeded && arguments.has("login") {
            // There is no store yet, and nobody to make it for.
            try SignInFlow.checkThatSomebodyCanAnswer(invocation)
            throw error
        }
        let request = TokenRequest(audience: arguments.value("audience"), scope: Scope(arguments.value("scope") ?? ""))
        let issued: IssuedToken
        do {
            issued = try await token(opened, request, least, invocation)
        } catch {
            guard arguments.has("login"), CommandFailure(describing: error).exit == .signInNeeded,
                !(error is CancellationError)
            else { throw error }
            _ = try await SignInFlow(invocation, opened, writesEvents: false).run()
            issued = try await token(opened, request, least, invocation)
        }
        try TokenOutput(issued, profile: opened.name, now: invocation.time.now).write(arguments, invocation.console)
        return .done
    }

    private static func token(
        _ opened: ProfileSession,
        _ request: TokenRequest,
        _ least: Duration?,
        _ invocation: Invocation
    ) async throws -> IssuedToken {
        let wanted = least ?? usualLifetime
        var issued = try await opened.session.token(for: request, validFor: wanted)
        let isForIDToken = invocation.arguments.has("id-token")
        let isStale = { (issued: IssuedToken) in
            isForIDToken && issued.idToken?.expiry.lasts(for: wanted, at: invocation.time.now) == false
        }
        // Still at most one refresh: none was made so far.
        if isStale(issued), !issued.refreshed, issued.renewalFailure == nil {
            var forced = request
            forced.reason = .forced
            issued = try await opened.session.token(for: forced, validFor: .zero)
        }
        let shown = isForIDToken ? issued.idToken ?? issued.token : issued.token
        let lasts = shown.expiry.lasts(for: wanted, at: invocation.time.now)
        if let failure = issued.renewalFailure {
            if least != nil, !lasts { throw failure }
            let sentence = CommandFailure(describing: failure).message
            invocation.console.warn("The token could not be refreshed and is the stored one: \(sentence)")
        } else if !lasts {
            invocation.console.warn("The issuer gives tokens that live shorter than \(wanted.components.seconds) s.")
        }
        return issued
    }
}
