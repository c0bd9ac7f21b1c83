import AuthKitCore
import AuthKitTesting
import Testing

/// A store with many credentials, their issuer, and a clock of its own.
struct WorkerRig: Sendable {
    static let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    static let life: Duration = .seconds(3600)

    let time = ManualTime()
    let store: any TokenStore
    let issuer = CountingIssuer()

    init(_ make: (ManualTime) -> any TokenStore = { InMemoryStore(time: $0) }) {
        store = make(time)
    }

    func vault() async throws -> Vault {
        try await Vault.open(store, keySource: EnvironmentKey(name: "k") { _ in Self.key })
    }

    func id(_ number: Int, issuer: Int = 0, kind: String = "counting") -> CredentialID {
        CredentialID(
            provider: ProviderKind(kind),
            issuer: "https://issuer-\(issuer).example",
            client: "c",
            slot: "\(number)"
        )
    }

    /// Stores a credential whose token ends in so long, due now unless told otherwise.
    @discardableResult
    func add(
        _ id: CredentialID,
        endingIn rest: Duration = .seconds(30),
        dueIn wait: Duration = .zero
    ) async throws
        -> StoredCredential
    {
        let now = time.now
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(Secret("\(id.slot)-1"))
        // Most of its life has passed, so that it is due.
        let age = max(.zero, Self.life - rest)
        let then = Moment(wall: now.wall - age, sinceBoot: now.sinceBoot - age, boot: now.boot)
        credential.accessTokens[.primary] = HeldToken(
            Secret("access-\(id.slot)-1"),
            expiry: .after(age + rest, from: then)
        )
        credential.renewedAt = then
        _ = try await vault().save(credential, replacing: nil, due: now.wall + wait)
        return credential
    }

    /// Stores many credentials of one issuer that are due one after the other, now or in so long.
    func addMany(_ numbers: ClosedRange<Int>, issuer: Int, dueIn wait: Duration = .zero) async throws {
        for number in numbers {
            let place = Duration.microseconds(number - numbers.upperBound - 1)
            try await add(id(number, issuer: issuer), dueIn: wait + place)
        }
    }

    func worker(
        _ adjust: (inout RefreshWorker.Options) -> Void = { _ in },
        saveWindow: SaveWindow? = nil,
        provider: (@Sendable (StoredCredential) -> (any TokenProvider)?)? = nil
    ) async throws -> RefreshWorker {
        var options = RefreshWorker.Options()
        adjust(&options)
        let known = CountingProvider(issuer: issuer)
        return try RefreshWorker(
            vault: try await vault(),
            options: options,
            time: time,
            saveWindow: saveWindow
        ) { credential in
            if let provider { return provider(credential) }
            return credential.id.provider == known.kind ? known : nil
        }
    }

    /// Lets time pass, a little at a time, until something holds.
    ///
    /// Settled: not while a worker is at work, which takes no time then. It sleeps when it has nothing to do.
    /// A worker that is named has no renewal under way either: on a busy machine they would take long by its clock.
    func pass(
        until what: String,
        settled: Bool = false,
        withoutRenewalsOf worker: RefreshWorker? = nil,
        _ holds: () async throws -> Bool
    ) async throws {
        for _ in 0..<3000 {
            if try await holds() { return }
            var patience = 2000
            while settled, patience > 0 {
                let isRenewing = await worker?.counts.renewing ?? 0 > 0
                guard isRenewing || time.remainingSleeps.isEmpty else { break }
                patience -= 1
                try await Task.sleep(for: .milliseconds(1))
            }
            time.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record("It never came that \(what).")
    }

    /// Runs a worker beside a body and drains it afterwards; time goes on until it has ended.
    func running(_ worker: RefreshWorker, _ body: () async throws -> Void) async throws {
        let run = Task { await worker.run() }
        var failure: (any Error)?
        do {
            try await body()
        } catch {
            failure = error
        }
        let ended = Guarded(false)
        let drain = Task {
            await worker.drain()
            await run.value
            ended.withLock { $0 = true }
        }
        try await pass(until: "the worker ended") { ended.withLock { $0 } }
        await drain.value
        if let failure { throw failure }
    }

    func stored(_ id: CredentialID) async throws -> StoredCredential? {
        try await vault().load(id)?.credential
    }
}

/// What the provider below was asked, and what it is to say.
final class CountingIssuer: Sendable {
    struct State: Sendable {
        /// Sends by refresh token.
        var sends: [String: Int] = [:]
        var running = 0
        var mostRunning = 0
        var runningByIssuer: [String: Int] = [:]
        var mostByIssuer = 0
        /// Failures to come, by slot.
        var failures: [String: [MemoryFailure]] = [:]
    }

    let state = Guarded(State())
    /// Called for each renewal once its intent is stored.
    let gate = Guarded<(@Sendable () async -> Void)?>(nil)

    var sends: [String: Int] { state.withLock { $0.sends } }
}

/// Renews anything: the generation in the token grows by one.
struct CountingProvider: TokenProvider {
    let issuer: CountingIssuer
    var kind: ProviderKind { ProviderKind("counting") }
    var traits = ProviderTraits(refresh: RefreshPolicy(jitter: 0))

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        guard let refresh = held.refreshToken?.value else {
            throw MemoryFailure(code: "no_refresh_token", remedy: .signInAgain, delivery: .notSent)
        }
        try await context.willSendOneTime(refresh)
        let name = held.id.issuer
        let failure: MemoryFailure? = issuer.state.withLock { state in
            state.sends[refresh.reveal(), default: 0] += 1
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            state.runningByIssuer[name, default: 0] += 1
            state.mostByIssuer = max(state.mostByIssuer, state.runningByIssuer[name] ?? 0)
            guard state.failures[held.id.slot]?.isEmpty == false else { return nil }
            return state.failures[held.id.slot]?.removeFirst()
        }
        await issuer.gate.withLock { $0 }?()
        issuer.state.withLock { state in
            state.running -= 1
            state.runningByIssuer[name, default: 0] -= 1
        }
        if let failure { throw failure }
        let parts = refresh.reveal().split(separator: "-")
        let generation = (Int(parts.last ?? "") ?? 0) + 1
        var renewed = held
        renewed.refreshToken = HeldToken(Secret("\(held.id.slot)-\(generation)"))
        renewed.accessTokens[request.key] = HeldToken(
            Secret("access-\(held.id.slot)-\(generation)"),
            expiry: .after(WorkerRig.life, from: context.base.time.now)
        )
        return .renewed(renewed)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
