import AuthKitCore
import AuthKitDevServer
import ProviderNiantic
import StoreSQLite
import TransportCurl

/// The NSDK's sample login, step by step as its document has it, against a development server.
///
/// The steps are named by the document's sections, and what stands for its snippets by the same: `LoginScreen`,
/// `BrowserLogin`, then `TokenUse`. What the document tells without a snippet comes after that.
///
/// Usage: NSDKSessionExample [DIRECTORY]. The tokens are kept in the directory, sealed.
@main
enum Example {
    static func main() async throws {
        let directory = CommandLine.arguments.dropFirst().first ?? "nsdk-session"
        let server = try await DevServer.start()
        do {
            try await run(at: server, in: directory)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func run(at server: DevServer, in directory: String) async throws {
        let transport = CurlTransport()

        print("1. Register a callback scheme")
        var configuration = NianticConfiguration(redirectType: .samples)
        print("   \(configuration.redirectURIs.joined(separator: " "))")
        // An app leaves these as they are: Niantic's (AuthConstants).
        configuration.identityURL = server.issuer.url
        configuration.signInURL = server.issuer.url + "/signin"
        configuration.signOutURL = server.issuer.url + "/signout"
        let provider = try NianticProvider(
            configuration,
            transport: transport,
            confirm: { proposal in
                let who = proposal.account?.displayName ?? "somebody"
                let isMeant = who == "alice@example.org"
                print("   asked: sign in as \(who)? \(isMeant ? "yes" : "no")")
                return isMeant ? .signIn : .waitForAnother
            },
            refused: { refusal in print("   told: \(refusal.detail)") }
        )
        let store = try await SQLiteStore.open(path: directory + "/tokens/store.db")
        let vault = try await Vault.open(store, keySource: KeyFile(path: directory + "/keys/store.key"))
        let session = Session(provider.credentialID(slot: "example"), provider: provider, vault: vault)

        // "During app initialization", as the document has it further below.
        let nsdkSession = NSDKSession()
        let screen = LoginScreen(session, nsdkSession)
        let subscription = await screen.viewDidLoad()

        let person = Task { await screen.login.play(over: transport) }
        let report = try await screen.onLoginTapped()
        person.cancel()
        print("   signed in as \(report.account?.displayName ?? "somebody")")

        print("5. Exchange session tokens for NSDK access tokens (viewDidLoad)")
        let steps = server.issuer.statistics.niantic
        print("   the service made \(steps.sessionsRotated), \(steps.refreshTokensMade) and \(steps.accessTokensMade)")
        print("   setAccessToken was called: \(!nsdkSession.isCleared)")

        try await TokenUse(session: session).run()
        print("   whoever is subscribed has a token still: \(!nsdkSession.isCleared)")

        print("7. Use it, and once more where it is refused (AuthRetryHelper)")
        try await useTwice(screen.access)

        print("8. The next run restores the session")
        await screen.access.stop()
        await subscription.cancel()
        try await nextRun(of: provider, vault, server)

        print("9. Log out (AuthManager)")
        let last = await screen.access.subscribe(nsdkSession)
        let signOut = try await screen.access.logout()
        try await wait { nsdkSession.isCleared }
        print("   cleared; the browser signs out at \(signOut.endSession?.printable.split(separator: "/").last ?? "-")")
        await last.cancel()
    }

    /// An operation whose first try finds its token refused; the second has another one.
    private static func useTwice(_ access: NSDKAccess) async throws {
        var retry = AuthorizationRetry()
        retry.occasion = .authorizationAndTransient
        retry.forcesRefresh = true
        var refused: Secret?
        try await retry.run(on: access) { token in
            guard let earlier = refused else {
                refused = token
                throw NianticError(.tokenRejected, "The service refused the token.", remedy: .signInAgain)
            }
            print("   done at the second try, with another token: \(token != earlier)")
        }
    }

    /// What the app does when it is started again: no sign-in, no request.
    private static func nextRun(of provider: NianticProvider, _ vault: Vault, _ server: DevServer) async throws {
        let before = server.issuer.statistics.niantic.exchanges.count
        let session = Session(provider.credentialID(slot: "example"), provider: provider, vault: vault)
        let nsdkSession = NSDKSession()
        let access = NSDKAccess(session, scheduler: RefreshScheduler(backoff: .niantic))
        let subscription = await access.subscribe(nsdkSession)
        if let failure = await access.start() { throw failure }
        try await wait { !nsdkSession.isCleared }
        print("   restored with \(server.issuer.statistics.niantic.exchanges.count - before) requests")
        await access.stop()
        await subscription.cancel()
    }

    /// Waits for what a subscription brings, five seconds at most.
    private static func wait(_ condition: () -> Bool) async throws {
        for _ in 0..<500 {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure(what: "It did not come in time.")
    }

    private struct Failure: Error {
        let what: String
    }
}
