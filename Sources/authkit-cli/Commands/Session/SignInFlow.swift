internal import AuthKitCore
internal import LoopbackHTTP

/// Signs a person in: chooses how the answer comes back, tells the URL, opens the browser.
struct SignInFlow: Sendable {
    /// How long a person is waited for when nothing else is said.
    static let patience: Duration = .seconds(300)

    private let invocation: Invocation
    private let opened: ProfileSession
    private let writesEvents: Bool

    /// Makes a flow; events go to standard output where JSON is asked for and standard output is not for a token.
    init(_ invocation: Invocation, _ opened: ProfileSession, writesEvents: Bool) {
        self.invocation = invocation
        self.opened = opened
        self.writesEvents = writesEvents
    }

    /// Whether somebody may be asked to sign in, or the caller brings the answer.
    static func canBeAnswered(_ invocation: Invocation) -> Bool {
        let arguments = invocation.arguments
        return !invocation.isNonInteractive || arguments.has("no-browser") || arguments.value("callback-url") != nil
    }

    /// Throws 77 where nobody may be asked and nothing says how the answer would come without asking.
    static func checkThatSomebodyCanAnswer(_ invocation: Invocation) throws(CommandFailure) {
        guard !canBeAnswered(invocation) else { return }
        throw CommandFailure(
            .signInNeeded,
            "interaction_needed",
            "A person must sign in through a browser, and nobody may be asked; "
                + "run authkit login without --non-interactive, or with --no-browser or --callback-url -."
        )
    }

    /// Signs in, within `--timeout` or five minutes.
    func run() async throws -> SignInReport {
        let limit = try invocation.timeLeft ?? Self.patience
        if opened.provider.needsPerson { try Self.checkThatSomebodyCanAnswer(invocation) }
        let socket = HeldRendezvous()
        // A cancelled command ends before the sign-in's own task has cleaned up, and the process with it.
        defer { socket.close() }
        let before = try? await Self.signedInAt(opened)
        do {
            guard opened.provider.needsPerson else { return try await opened.session.signIn(within: limit) }
            return try await opened.session.signIn(through: try agent(socket), within: limit)
        } catch is CancellationError {
            throw await interruption(before)
        }
    }

    /// When the login that is stored was made; nil where there is none.
    private static func signedInAt(_ opened: ProfileSession) async throws -> WallTime? {
        let summary = try await opened.vault.summary(of: opened.session.id)
        return summary?.state == .signedIn ? summary?.signedInAt : nil
    }

    /// Says what an interrupted sign-in leaves behind, once the tokens of a code already sent are stored.
    private func interruption(_ before: WallTime?) async -> CommandFailure {
        let (opened, window) = (opened, invocation.surroundings.saveWindow)
        // A task of its own: this one is cancelled, and its reading would be too.
        let after = await Task {
            _ = await window.drain(within: .seconds(15))
            return try? await Self.signedInAt(opened)
        }.value
        let name = PrivatePlace.shellQuoted(opened.name)
        let sentence =
            switch after {
            case nil: "The sign-in was cancelled and nothing is stored; to sign in, run: authkit login \(name)"
            case before:
                "The sign-in was cancelled; the login of \(opened.name) from before still stands, "
                    + "and to sign in anew, run: authkit login \(name)"
            default: "The sign-in was finished before it could be cancelled; to undo it, run: authkit logout \(name)"
            }
        return CommandFailure(.signInNeeded, "cancelled", sentence)
    }

    private func agent(_ socket: HeldRendezvous) throws -> any UserAgent {
        let redirects = opened.provider.redirectURIs
        let console = invocation.console
        if let source = invocation.arguments.value("callback-url") {
            guard source == "-" else {
                throw CommandFailure.usage(
                    "--callback-url takes - only: a URL with a code does not belong into arguments."
                )
            }
            return PasteUserAgent(
                input: invocation.surroundings.input,
                time: invocation.time,
                reading: opened.provider.reading,
                announce: announce
            )
        }
        if let first = redirects.first, CallbackURL(first)?.isPrivateUse == true {
            let directories = try invocation.places.socketDirectories
            let store = try invocation.places.store.text
            let (place, time, browser) = (invocation.place, invocation.time, try browser)
            return SchemeUserAgent(
                reading: opened.provider.reading,
                open: {
                    let rendezvous = try Rendezvous.open(in: directories, store: store, place: place, time: time)
                    socket.hold(rendezvous)
                    return rendezvous
                },
                announce: announce,
                browse: { url in _ = await browser?.open(url) }
            )
        }
        return LoopbackUserAgent(
            announce: { url in
                do {
                    try announce(url)
                } catch {
                    console.warn("The URL could not be written to standard output.")
                }
            },
            browser: try browser,
            site: opened.provider.signInSite,
            time: invocation.time
        )
    }

    /// The browser, unless the person wants none.
    private var browser: ToldBrowser? {
        get throws(CommandFailure) {
            guard !invocation.arguments.has("no-browser"), !invocation.isNonInteractive else { return nil }
            return ToldBrowser(try Self.browser(invocation), console: invocation.console)
        }
    }

    /// A browser with an environment that holds no secret of ours.
    ///
    /// Throws where the configuration, which may name the key's variable, cannot be read.
    static func browser(_ invocation: Invocation) throws(CommandFailure) -> SystemBrowser {
        SystemBrowser(environment: try StoreOpening(invocation).childEnvironment(), time: invocation.time)
    }

    /// Tells the URL before anything is opened: people on standard error, programs on standard output.
    private func announce(_ url: String) throws {
        let console = invocation.console
        console.insist("To sign in to \(opened.name), open this address in a browser:\n\n  \(url)\n")
        if invocation.environment["SSH_CONNECTION"] != nil, !invocation.arguments.has("callback-url") {
            console.say(
                "The browser must run on this machine; elsewhere use --callback-url - and paste its last address."
            )
        }
        if console.style.json, writesEvents {
            try console.data(["event": "authorization_url", "url": .string(url)])
        }
    }
}
