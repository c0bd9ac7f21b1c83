import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// An app with the sample sign-in: service, provider, store and clock; each `session()` stands for another process.
struct SampleApp: Sendable {
    static let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    static let redirect = "nsdk-samples://signin/redirect"

    let service: IdentityService
    let provider: NianticProvider
    let store: any TokenStore

    init(
        _ service: IdentityService = IdentityService(),
        store: any TokenStore = InMemoryStore(),
        change: (inout NianticConfiguration) -> Void = { _ in },
        confirm: SignInConfirmation? = nil,
        refused: SignInRefusal? = nil,
        check: TokenCheck? = nil
    ) throws {
        self.service = service
        self.store = store
        var configuration = NianticConfiguration()
        configuration.identityURL = "https://identity.example"
        configuration.signInURL = "https://site.example/signin"
        configuration.signOutURL = "https://site.example/signout"
        change(&configuration)
        let transport = TracingTransport(service.transport, time: service.time)
        provider = try NianticProvider(
            configuration,
            transport: transport,
            confirm: confirm,
            refused: refused,
            check: check
        )
    }

    var time: ManualTime { service.time }
    var id: CredentialID { provider.credentialID(slot: "work") }

    var context: ProviderContext {
        ProviderContext(time: time, deadline: Deadline(.seconds(120), from: time.now))
    }

    func vault() async throws -> Vault {
        try await Vault.open(store, keySource: EnvironmentKey(name: "k") { _ in Self.key })
    }

    func session(vault: Vault? = nil, options: SessionOptions = SessionOptions()) async throws -> Session {
        let vault = if let vault { vault } else { try await self.vault() }
        return Session(id, provider: provider, vault: vault, time: time, options: options)
    }

    func stored() async throws -> StoredCredential? { try await vault().load(id)?.credential }

    /// An agent whose browser brings these callbacks, one after the other.
    func agent(_ callbacks: [String], givesUp: Bool = false) -> ScriptedBrowser {
        ScriptedBrowser(redirect: Self.redirect, callbacks: callbacks, givesUp: givesUp)
    }

    /// An agent whose person signs in; one that gives up takes no second callback after one that was refused.
    func person(_ subject: String? = "user-1", givesUp: Bool = false) -> ScriptedBrowser {
        agent([callback(service.browserSignIn(subject: subject))], givesUp: givesUp)
    }

    func callback(_ token: String) -> String { "\(Self.redirect)?refreshToken=\(token)" }

    /// Signs in by the provider alone: step 1.
    func establish(_ agent: (any UserAgent)? = nil, previous: StoredCredential? = nil) async throws -> StoredCredential
    {
        let context = SignInContext(base: context, blank: try blank(), previous: previous, willRedeem: {})
        let result = try await provider.signIn(through: agent ?? person(), in: context)
        await result.receiver?.finish(.signedIn(account: nil))
        return result.credential
    }

    /// Signs in and makes steps 2 and 3, by the provider alone; the requests so far are forgotten.
    func signedIn() async throws -> StoredCredential {
        let held = try await renew(try await establish())
        service.forgetRequests()
        return held
    }

    func renew(
        _ held: StoredCredential,
        _ request: TokenRequest = TokenRequest(reason: .forced),
        _ journal: StepJournal = StepJournal()
    ) async throws -> StoredCredential {
        switch try await provider.renew(held, for: request, in: journal.context(context, service)) {
        case .renewed(let credential): return credential
        case .declined(let reason): throw Declined(reason: reason)
        }
    }

    func blank() throws -> StoredCredential {
        StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
    }

    struct Declined: Error {
        let reason: String
    }
}

/// The durable steps of a renewal: each with how many requests had been made before it.
final class StepJournal: Sendable {
    private let kept = Guarded<(intents: [String], commits: [(after: Int, credential: StoredCredential)])>(([], []))

    /// The tokens of which an intent was written.
    var intents: [String] { kept.withLock { $0.intents } }
    var commits: [(after: Int, credential: StoredCredential)] { kept.withLock { $0.commits } }

    func context(_ base: ProviderContext, _ service: IdentityService) -> RenewalContext {
        RenewalContext(
            base: base,
            willSendOneTime: { token in
                self.kept.withLock { $0.intents.append(SampleToken.name(of: token.reveal()) ?? "?") }
                return 0
            },
            commit: { credential in self.kept.withLock { $0.commits.append((service.grants.count, credential)) } }
        )
    }
}

/// A person's browser: brings callback URLs until one is taken, then waits like a real one.
final class ScriptedBrowser: UserAgent, RedirectReceiver {
    struct State {
        var redirects: [String] = []
        var urls: [String] = []
        var outcomes: [SignInOutcome] = []
        var refused = 0
    }

    let redirectURI: String
    private let callbacks: [String]
    private let givesUp: Bool
    private let state = Guarded(State())

    init(redirect: String, callbacks: [String], givesUp: Bool = false) {
        redirectURI = redirect
        self.callbacks = callbacks
        self.givesUp = givesUp
    }

    var redirects: [String] { state.withLock { $0.redirects } }
    var urls: [String] { state.withLock { $0.urls } }
    var outcomes: [SignInOutcome] { state.withLock { $0.outcomes } }
    var refused: Int { state.withLock { $0.refused } }

    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        state.withLock { $0.redirects = redirects }
        return self
    }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        state.withLock { $0.urls.append(url) }
        for callback in callbacks {
            let parameters = FormEncoding.decode(callback.drop { $0 != "?" }.dropFirst()) ?? []
            let answer = RedirectAnswer(parameters: parameters)
            if accepting(answer) { return answer }
            state.withLock { $0.refused += 1 }
        }
        if givesUp { throw SampleApp.Declined(reason: "no callback was taken") }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
        throw CancellationError()
    }

    func finish(_ outcome: SignInOutcome) async { state.withLock { $0.outcomes.append(outcome) } }
}

/// The error that a call throws.
func failure(of call: () async throws -> some Any) async throws -> NianticError {
    do {
        _ = try await call()
    } catch let error as NianticError {
        return error
    }
    throw NothingThrown()
}

struct NothingThrown: Error {}
