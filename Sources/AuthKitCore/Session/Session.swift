#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One credential in use: gives tokens, signs in, signs out.
///
/// A fresh token comes from a snapshot in memory, without I/O. Otherwise one renewal at a time is made for a
/// credential, across tasks, sessions and processes that share the store; what it brings is durable before any caller
/// sees it. Cancelling a caller returns it at once and harms nobody else.
public final class Session: Sendable {
    /// The credential's name.
    public let id: CredentialID
    let provider: any TokenProvider
    let vault: Vault
    let time: any TimeSource
    let saveWindow: SaveWindow
    let options: SessionOptions
    let cell: CredentialCell
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
    }

    /// Gives an access token that is good for a duration more, renewing if needed; at most one renewal is made.
    ///
    /// A newly issued token may live shorter than asked: it is given all the same. When renewal fails for now and the
    /// held token still lives, it is given with the failure beside it. Throws `SessionError` when there is nothing to
    /// give, errors of the provider, and `CancellationError` at once when the caller is cancelled.
    public func token(
        for request: TokenRequest = TokenRequest(),
        validFor: Duration = .seconds(60)
    ) async throws -> IssuedToken {
        if case .expiring = request.reason, let issued = snapshotToken(request.key, validFor: validFor) {
            return issued
        }
        try checkProcess()
        let order = RenewalOrder(
            request: request,
            validFor: validFor,
            placedAt: time.now,
            known: knownToken(request.key)
        )
        // A flight that is under way may have been ordered for less; two more are enough to be the first in one.
        for _ in 0..<3 {
            let landing = try await join(order)
            if let token = landing.entry.credential.accessTokens[request.key],
                order.accepts(token, in: landing, at: time.now)
            {
                return issued(token, in: landing)
            }
            if let failure = landing.failure { throw failure }
        }
        throw SessionError(.busy, "Others renew \(id.slot) all the time; try again.")
    }

    /// What is held, from the store's metadata alone; nil when nothing was ever stored.
    public func status() async throws -> CredentialSummary? {
        try await vault.summary(of: id)
    }

    /// Whether somebody renews the tokens right now, in any process: the lease is held.
    public func isRenewing() async throws -> Bool {
        do {
            await (try await vault.lease(id, for: .refresh, waiting: .zero)).release()
            return false
        } catch let error as StoreError where error.code == .busy {
            return true
        }
    }

    /// Throws in a process that was forked from the one that made the session: both would use the same one-time token.
    func checkProcess() throws {
        guard process == getpid() else {
            throw SessionError(.wrongProcess, "The process has forked since this session was made; make a new one.")
        }
    }

    private func snapshotToken(_ key: AccessTokenKey, validFor: Duration) -> IssuedToken? {
        guard let snapshot = cell.snapshot, snapshot.entry.credential.state == .signedIn,
            let token = snapshot.entry.credential.accessTokens[key],
            snapshot.entry.credential.lasts(token, for: validFor, at: time.now)
        else { return nil }
        let landing = RenewalLanding(
            entry: snapshot.entry,
            refreshed: false,
            failure: nil,
            isUnsaved: snapshot.isUnsaved
        )
        return issued(token, in: landing)
    }

    private func knownToken(_ key: AccessTokenKey) -> TokenFingerprint? {
        cell.snapshot?.entry.credential.accessTokens[key]?.fingerprint
    }

    private func issued(_ token: HeldToken, in landing: RenewalLanding) -> IssuedToken {
        IssuedToken(
            token: token,
            idToken: landing.entry.credential.idToken,
            account: landing.entry.credential.account,
            refreshed: landing.refreshed,
            renewalFailure: landing.failure,
            isUnsaved: landing.isUnsaved
        )
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
