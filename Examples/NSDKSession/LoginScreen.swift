import AuthKitCore
import ProviderNiantic

/// What the document's `MyViewController` does, without a view.
struct LoginScreen: Sendable {
    /// What keeps the NSDK's session supplied.
    let access: NSDKAccess
    /// What the login goes through.
    let login: BrowserLogin
    private let nsdkSession: NSDKSession

    /// Makes one for a session of the sample sign-in; nothing is begun.
    init(_ session: Session, _ nsdkSession: NSDKSession) {
        access = NSDKAccess(session, scheduler: RefreshScheduler(backoff: .niantic))
        login = BrowserLogin(access)
        self.nsdkSession = nsdkSession
    }

    /// "Start login": the person taps the button.
    func onLoginTapped() async throws -> SignInReport {
        print("2. Start login (onLoginTapped)")
        return try await login.startAuth()
    }

    /// "Exchange session tokens for NSDK access tokens": `NSSampleSessionManager.start`, `setupSessionAccess(for:)`.
    ///
    /// Called during the app's initialization. The subscription is to be kept as long as tokens are wanted.
    func viewDidLoad() async -> AccessSubscription {
        let subscription = await access.subscribe(nsdkSession)
        await access.start()
        return subscription
    }
}
