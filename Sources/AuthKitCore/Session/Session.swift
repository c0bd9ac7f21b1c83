#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
internal import Synchronization

/// One credential in use: gives tokens, signs in, signs out.
///
/// A fresh token comes from a snapshot in memory, without I/O. Otherwise one renewal at a time is made for a
/// credential, across tasks, sessions and processes that share the store; what it brings is durable before any caller
/// sees it. Cancelling a caller returns it at once and harms nobody else.
public final class Session: Sendable {
    /// The credential's name.
    public let id: CredentialID
    /// Where its tokens come from.
    package let provider: any TokenProvider
    let vault: Vault
    let time: any TimeSource
    let saveWindow: SaveWindow
    let options: SessionOptions
    let cell: CredentialCell
    let feed = SessionFeed()
    private let isDisposed = Atomic(false)
    private let process = getpid()

    /// Makes a session over a credential, which need not exist yet; nothing is read.
    public init(
        _ id: CredentialID,
        provider: any TokenProvider,
        vault: Vault,
        time: any TimeSource = SystemTime(),
        saveWindow: SaveWindow = SaveWindow(),
        options: SessionOptions = SessionOptions()
    ) {
        self.id = id
        self.provider = provider
        self.vault = vault
        self.time = time
        self.saveWindow = saveWindow
        self.options = options
        cell = vault.cell(for: id)
        cell.add(feed)
    }

    deinit { feed.end() }

    /// Gives an access token that is good for a duration more, renewing if needed; at most one renewal is made.
    ///
    /// A newly issued token may live shorter than asked: it is given all the same. When renewal fails for now and the
    /// held token still lives, it is given with the failure beside it. Throws `SessionError` when there is nothing to
    /// give, errors of the provider, and `CancellationError` at once when the caller is cancelled.
    public func token(
        for request: TokenRequest = TokenRequest(),
        validFor: Duration = .seconds(60)
    ) async throws -> IssuedToken {
        if !isDisposed.load(ordering: .acquiring), case .expiring = request.reason, let snapshot = cell.snapshot,
            let token = snapshot.freshToken(for: request, validFor: validFor, at: time.reading)
        {
            return IssuedToken(token, of: snapshot, refreshed: false, renewalFailure: nil)
        }
        return try await renewedToken(for: request, validFor: validFor)
    }

    private func renewedToken(for request: TokenRequest, validFor: Duration) async throws -> IssuedToken {
        try checkUse()
        let order = RenewalOrder(
            request: request,
            validFor: validFor,
            placedAt: time.now,
            known: knownToken(request.key)
        )
        // A flight that is under way may have been ordered for less; two more are enough to be the first in one.
        for _ in 0..<3 {
            let landing = try await join(order)
            let snapshot = landing.snapshot
            if let ready = snapshot.token(for: request.key), order.accepts(ready.token, in: landing, at: time.now) {
                return IssuedToken(
                    ready,
                    of: snapshot,
                    refreshed: landing.refreshed,
                    renewalFailure: landing.failure
                )
            }
            if let failure = landing.failure { throw failure }
        }
        throw SessionError(.busy, "Others renew \(id.slot) all the time; try again.")
    }

    /// Where it stands, as far as this process knows: what another one changed is seen at the next load.
    public var state: SessionState { feed.standing }

    /// What happens from now on, to a subscriber of its own; read it before `state`, and nothing lies between them.
    public var events: SessionEvents { feed.subscribe() }

    /// Gives the session up: later calls throw `disposed`, and its subscribers' events end.
    ///
    /// Calls that are waiting get their result, and other sessions over the credential go on.
    public func dispose() {
        isDisposed.store(true, ordering: .releasing)
        feed.dispose()
    }

    /// What is held, from the store's metadata alone; nil when nothing was ever stored.
    public func status() async throws -> CredentialSummary? {
        try checkUse()
        return try await vault.summary(of: id)
    }

    /// Whether somebody renews the tokens right now, in any process: the lease is held.
    public func isRenewing() async throws -> Bool {
        try checkUse()
        do {
            await (try await vault.lease(id, for: .refresh, waiting: .zero)).release()
            return false
        } catch let error as StoreError where error.code == .busy {
            return true
        }
    }

    /// Throws when the session was given up, and in a process that was forked from the one that made it: both would use
    /// the same one-time token.
    func checkUse() throws {
        guard !isDisposed.load(ordering: .acquiring) else {
            throw SessionError(.disposed, "The session of \(id.slot) was disposed of; make a new one.")
        }
        guard process == getpid() else {
            throw SessionError(.wrongProcess, "The process has forked since this session was made; make a new one.")
        }
    }

    private func knownToken(_ key: AccessTokenKey) -> TokenFingerprint? {
        cell.snapshot?.entry.credential.accessTokens[key]?.fingerprint
    }

    private func join(_ order: RenewalOrder) async throws -> RenewalLanding {
        let key = order.request.key
        let flight = cell.flight(for: key) {
            let flight = Flight<RenewalLanding>()
            let renewal = RenewalFlight(session: self, order: order)
            // The task belongs to the flight: no caller's cancellation reaches it.
            Task { [cell] in
                let result: Result<RenewalLanding, any Error>
                do {
                    result = .success(
                        try await renewal.run { early in
                            // Who comes later does not join what has landed.
                            cell.land(flight, for: key)
                            flight.land(early)
                        }
                    )
                } catch {
                    result = .failure(error)
                }
                cell.land(flight, for: key)
                flight.land(result)
            }
            return flight
        }
        do {
            return try await flight.wait(within: options.callerLimit, time: time)
        } catch is Flight<RenewalLanding>.CallerLeft {
            let failure = SessionError(
                .callerLimitPassed,
                "The tokens of \(id.slot) could not be renewed within the time given; try again."
            )
            return try await RenewalFlight(session: self, order: order).held(despite: failure)
        }
    }
}
