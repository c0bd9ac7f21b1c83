import AuthKitCore

/// A provider over `MemoryIssuer`, with a script of what goes wrong on the way.
struct MemoryProvider: InteractiveTokenProvider {
    /// What happens to one request.
    enum Fate: Sendable {
        /// It arrives and is answered.
        case answered
        /// It never leaves.
        case notSent
        /// It arrives and the answer is lost.
        case answerLost
        /// It is answered with a status that says nothing of the token.
        case unclear
        /// It is answered definitely: not now.
        case busy
        /// It is answered so that a person must sign in, though the issuer would have granted.
        case refused
    }

    let issuer: MemoryIssuer
    let fates: Fates
    var beforeAnswer: @Sendable () async throws -> Void = {}
    var beforeSignIn: @Sendable () async throws -> Void = {}
    var whileRedeeming: @Sendable () async throws -> Void = {}
    var subject = "alice"
    var traits: ProviderTraits { ProviderTraits() }
    var kind: ProviderKind { ProviderKind("memory") }

    init(issuer: MemoryIssuer, fates: [Fate] = []) {
        self.issuer = issuer
        self.fates = Fates(fates)
    }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        guard let refresh = held.refreshToken else {
            throw MemoryFailure(code: "no_refresh_token", remedy: .signInAgain, delivery: .notSent)
        }
        try await context.willSendOneTime(refresh.value)
        let fate = fates.next()
        if fate == .notSent { throw MemoryFailure(code: "offline", remedy: .retry(after: nil), delivery: .notSent) }
        if fate == .unclear {
            throw MemoryFailure(code: "http_503", remedy: .retry(after: nil), delivery: .answeredUnclear)
        }
        if fate == .busy { throw MemoryFailure(code: "http_429", remedy: .retry(after: nil), delivery: .answered) }
        if fate == .refused { throw MemoryFailure(code: "invalid_grant", remedy: .signInAgain, delivery: .answered) }
        let grant = issuer.refresh(refresh.value.reveal())
        try await beforeAnswer()
        if fate == .answerLost {
            throw MemoryFailure(code: "timed_out", remedy: .retry(after: nil), delivery: .sentNoAnswer)
        }
        guard let grant else {
            throw MemoryFailure(code: "invalid_grant", remedy: .signInAgain, delivery: .answered)
        }
        var renewed = held
        renewed.refreshToken = HeldToken(Secret(grant.refresh))
        renewed.accessTokens[request.key] = HeldToken(
            Secret(grant.access),
            expiry: .after(issuer.lifetime, from: context.base.time.now)
        )
        return .renewed(renewed)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] {
        guard let token = held.refreshToken?.value.reveal() else { return [] }
        issuer.state.withLock { $0.revoked.append(token) }
        return [RevocationResult(subject: "refresh token", failure: nil)]
    }

    func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult {
        try await beforeSignIn()
        try context.willRedeem()
        try await whileRedeeming()
        var credential = context.blank
        let current = issuer.state.withLock { state in
            state.isDead = false
            return state.current
        }
        credential.account = Account(issuer: "memory", subject: subject, displayName: subject)
        credential.refreshToken = HeldToken(Secret(current))
        credential.accessTokens[.primary] = HeldToken(
            Secret("access-of-\(subject)"),
            expiry: .after(issuer.lifetime, from: context.base.time.now)
        )
        return SignInResult(credential: credential, receiver: nil)
    }

    func endSession(_ held: StoredCredential, in context: ProviderContext) async throws -> EndSessionRequest? { nil }
}

/// A failure as a provider words it.
struct MemoryFailure: ProviderFailure {
    let code: String
    let remedy: Remedy
    let delivery: Delivery?
    var description: String { "The issuer said \(code)." }
}

/// The fates of requests in order; answered once they are used up.
final class Fates: Sendable {
    private let rest: Guarded<[MemoryProvider.Fate]>

    init(_ fates: [MemoryProvider.Fate]) {
        rest = Guarded(fates)
    }

    func next() -> MemoryProvider.Fate {
        rest.withLock { $0.isEmpty ? .answered : $0.removeFirst() }
    }
}

/// A user agent that nobody asks.
struct NoAgent: UserAgent {
    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        throw MemoryFailure(code: "no_agent", remedy: .fixConfiguration, delivery: nil)
    }
}
