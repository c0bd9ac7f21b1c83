import AuthKitCore
import AuthKitTesting

/// An issuer that gives tokens to anybody, keeps the time of each request, and does as its script says.
struct TimedProvider: TokenProvider {
    /// How one request is answered.
    enum Answer: Sendable {
        case granted
        case failed(Remedy)
        /// Nothing newer.
        case declined
        /// Not before the latch is open.
        case held(Latch)
    }

    /// One request.
    struct Request: Sendable {
        let slot: String
        let at: Moment
    }

    private struct State: Sendable {
        var requests: [Request] = []
        var script: [Answer] = []
        var offset: Duration?
    }

    private final class Ledger: Sendable {
        let state = Guarded(State())
    }

    let time: ManualTime
    var lifetime = Duration.seconds(3600)
    var refresh = RefreshPolicy(jitter: 0)
    private let ledger = Ledger()

    init(time: ManualTime, script: [Answer] = []) {
        self.time = time
        ledger.state.withLock { $0.script = script }
    }

    var kind: ProviderKind { ProviderKind("timed") }
    var traits: ProviderTraits { ProviderTraits(refresh: refresh, needsSignIn: false) }

    /// All requests so far.
    var requests: [Request] { ledger.state.withLock { $0.requests } }

    /// How far the issuer's clock is ahead; the end of a token is named by it, where this is not nil.
    var offset: Duration? {
        get { ledger.state.withLock { $0.offset } }
        nonmutating set { ledger.state.withLock { $0.offset = newValue } }
    }

    /// Whether a token is still good at the issuer.
    func isGood(_ token: Secret) -> Bool {
        guard let end = Int64(token.reveal().split(separator: "/").last ?? "") else { return false }
        return trueNow < .nanoseconds(end)
    }

    /// A session for a slot of this provider.
    func session(_ slot: String, _ vault: Vault) -> Session {
        let id = CredentialID(provider: kind, issuer: "https://issuer.example", client: "c", slot: slot)
        return Session(id, provider: self, vault: vault, time: time)
    }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        let answer = ledger.state.withLock { state in
            state.requests.append(Request(slot: held.id.slot, at: time.now))
            return state.script.isEmpty ? .granted : state.script.removeFirst()
        }
        switch answer {
        case .granted: break
        case .failed(let remedy): throw MemoryFailure(code: "scripted", remedy: remedy, delivery: .answered)
        case .declined: return .declined(reason: "nothing newer")
        case .held(let latch): await latch.pass()
        }
        var renewed = held
        let end = trueNow + lifetime
        let expiry =
            offset == nil
            ? Expiry.after(lifetime, from: time.now)
            : .at(WallTime(sinceEpoch: end))
        let (seconds, attoseconds) = end.components
        let value = "\(requests.count)/\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)"
        renewed.accessTokens[request.key] = HeldToken(Secret(value), expiry: expiry)
        renewed.clockOffset = offset
        return .renewed(renewed)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }

    /// The issuer's clock.
    private var trueNow: Duration { time.now.wall.sinceEpoch + (offset ?? .zero) }
}
