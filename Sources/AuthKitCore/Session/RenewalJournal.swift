/// The durable side of one renewal: the intent before, the answer after, and what a failure leaves behind.
///
/// Lives under the credential's lease. From `willSendOneTime` until `end` the session's `SaveWindow` is open.
actor RenewalJournal {
    /// A sign-out or sign-in changed the record: nothing of ours was sent or written since; look again.
    struct Overtaken: Error {}

    /// What a failure means.
    enum Verdict: Sendable {
        /// Only a person can help; the record says so.
        case signInNeeded(SessionError)
        /// What is held stays as it is, and the failure is told.
        case keepsWorking(VaultEntry, any ProviderFailure)
    }

    /// What is done when an answer cannot be stored within the grace, in a session that serves from memory.
    enum Lateness {
        /// The renewal goes on, and its next step stores the newest state.
        case goOn
        /// The callers are told, and storing goes on.
        case serve((RenewalLanding) -> Result<RenewalLanding, any Error>)
    }

    private static let sendLimit = 2
    private static let conflictLimit = 32

    let session: Session
    /// The lease it lives under; another one after the first was lost and taken anew.
    var lease: any StoreLease
    var leaseKeeper: Task<Void, Never>?
    var ownsLease = false
    private let key: AccessTokenKey
    private let early: RenewalFlight.Early
    /// What is stored, as far as this renewal knows.
    private(set) var entry: VaultEntry
    /// An answer that the store does not have yet.
    private(set) var pending: StoredCredential?
    var sent: TokenFingerprint?
    /// Whether a part of the answer is kept already.
    private var hasCommitted = false
    private(set) var intentBefore: Intent?
    private var windowIsOpen = false

    init(
        session: Session,
        lease: any StoreLease,
        key: AccessTokenKey,
        entry: VaultEntry,
        early: @escaping RenewalFlight.Early
    ) {
        self.session = session
        self.lease = lease
        self.key = key
        self.entry = entry
        self.early = early
    }

    var schedule: RenewalSchedule { RenewalSchedule(traits: session.provider.traits) }

    /// Takes an intent back that came to nothing, and returns what is stored.
    func declined() async throws -> VaultEntry {
        let now = session.time.now
        // One that is due is written too, so that workers do not come back at once.
        if sent != nil || schedule.due(entry.credential, at: now).map({ $0 <= now.wall }) == true {
            let due = schedule.dueAfterDecline(entry.credential, at: now)
            try await write(restoringIntent(in: entry.credential), due: due)
        }
        return entry
    }

    /// Writes the intent; see `RenewalContext.willSendOneTime`.
    func willSendOneTime(_ token: Secret) async throws -> Int {
        let fingerprint = TokenFingerprint(of: token)
        let before = entry.credential.intents[fingerprint]
        let sends = before?.sends ?? 0
        guard sends < Self.sendLimit else { throw lostAnswer(cause: nil) }
        if !windowIsOpen {
            guard session.saveWindow.open() else {
                throw SessionError(.ending, "The process is ending, so nothing was sent; try again.")
            }
            windowIsOpen = true
        }
        try await confirmLease()
        var credential = entry.credential
        credential.intents[fingerprint] = Intent(sends: sends + 1, at: session.time.now.wall)
        try await write(credential, due: schedule.dueWhileRenewing(credential, at: session.time.now))
        sent = fingerprint
        intentBefore = before
        try await FaultPoint.intentSaved.reached()
        try await confirmLeaseBeforeSending()
        return sends
    }

    /// Keeps an intermediate state; see `RenewalContext.commit`.
    func commit(_ credential: StoredCredential) async throws {
        if !hasCommitted { try await FaultPoint.answerReceived.reached() }
        let kept = answered(credential)
        let due = schedule.dueWhileRenewing(kept, at: session.time.now)
        try await persist(kept, due: due, whenLate: .goOn)
        intentBefore = nil  // The answer is kept: whatever fails from here on, it was not lost.
        hasCommitted = true
        try await FaultPoint.answerCommitted.reached()
    }

    /// Keeps the result and publishes it.
    func keep(_ credential: StoredCredential) async throws -> RenewalLanding {
        if !hasCommitted { try await FaultPoint.answerReceived.reached() }
        var kept = answered(credential)
        kept.state = .signedIn
        kept.problem = nil
        kept.renewedAt = session.time.now
        let due = schedule.due(kept, at: session.time.now)
        try await persist(kept, due: due, whenLate: .serve { .success($0) })
        try await FaultPoint.answerSaved.reached()
        session.cell.publish(entry)
        return RenewalLanding(entry: entry, refreshed: true, failure: nil, isUnsaved: false)
    }

    /// Closes the window and lets the lease be.
    func end() async {
        if windowIsOpen { session.saveWindow.close() }
        windowIsOpen = false
        await letLeaseBe()
    }

    func lostAnswer(cause: (any Error)?) -> SessionError {
        SessionError(
            .answerLost,
            "A refresh of \(session.id.slot) was cut off and the issuer's answer was lost; sign in again.",
            cause: cause
        )
    }

    /// What a provider returned, with what is not the provider's to change, and without tokens that have ended.
    private func answered(_ credential: StoredCredential) -> StoredCredential {
        var kept = credential
        kept.incarnation = entry.credential.incarnation
        // What is not held any more is not in doubt either.
        kept.intents = entry.credential.intents.filter { kept.lineage.contains($0.key) }
        if let sent { kept.intents[sent] = nil }
        // With its first access token a sign-in is complete: what it replaced is gone for good.
        kept.replaced = kept.accessTokens[.primary] == nil ? entry.credential.replaced : nil
        kept.dropEndedAccessTokens(except: key, at: session.time.now)
        return kept
    }

    func restoringIntent(in credential: StoredCredential) -> StoredCredential {
        guard let sent else { return credential }
        var restored = credential
        restored.intents[sent] = intentBefore
        return restored
    }

    /// One save; a conflict means that this renewal was overtaken.
    func write(_ credential: StoredCredential, due: WallTime?) async throws {
        do {
            let version = try await session.vault.save(credential, replacing: entry.version, under: lease, due: due)
            entry = VaultEntry(credential: credential, version: version)
        } catch let error as StoreError where error.code == .conflict || error.code == .leaseLost {
            throw Overtaken()
        }
    }

    /// Saves an answer that must not be lost: tried again until it is saved, overtaken, or given up by the options.
    func persist(_ credential: StoredCredential, due: WallTime?, whenLate late: Lateness) async throws {
        let spent = entry.credential.lineage
        let start = session.time.now
        var answer = credential
        var pause = Duration.milliseconds(50)
        var conflicts = 0
        var isLate = false
        pending = answer
        while true {
            do {
                let version = try await session.vault.save(answer, replacing: entry.version, under: lease, due: due)
                entry = VaultEntry(credential: answer, version: version)
                pending = nil
                return
            } catch let error as VaultError where error.code == .tooLarge && answer.accessTokens.count > 1 {
                // The refresh token and the token asked for come first: the others can be fetched again.
                answer.accessTokens = answer.accessTokens.filter { $0.key == key }
                continue
            } catch let error as VaultError where error.code == .tooLarge {
                throw error  // It will be no smaller when it is tried again.
            } catch let error as StoreError where error.code == .conflict {
                conflicts += 1
                if try await rebase(answer, spent: spent, isLast: conflicts == Self.conflictLimit) { continue }
            } catch {
                if (error as? StoreError)?.code == .leaseLost {
                    await retakeLease()
                    _ = try await rebase(answer, spent: spent, isLast: false)
                }
                if !isLate, session.time.now.since(start) >= session.options.saveGrace {
                    guard session.options.saveFailure == .serveUnsaved else { throw saveFailed(error) }
                    guard case .serve(let outcome) = late else { return }  // Kept in mind: the next step saves it.
                    serveUnsaved(answer, failure: error, as: outcome)
                    isLate = true
                }
            }
            try await session.time.sleep(for: pause)
            pause = min(pause * 2, isLate ? .seconds(30) : .seconds(1))
        }
    }

    /// After a conflict: goes on above a newer revision of the same state, and drops the answer otherwise.
    ///
    /// False when the store could not be asked: then it is asked again.
    private func rebase(
        _ credential: StoredCredential,
        spent: Set<TokenFingerprint>,
        isLast: Bool
    ) async throws -> Bool {
        let stored: VaultEntry?
        do {
            stored = try await session.vault.load(session.id)
        } catch {
            // A vault whose key was changed meanwhile may be opened again, as a store that is away may come back.
            if isLast { throw saveFailed(error) }
            return false
        }
        if !isLast, let stored, stored.credential.incarnation == credential.incarnation,
            stored.credential.state != .signedOut, stored.credential.lineage == spent
        {
            entry = VaultEntry(credential: entry.credential, version: stored.version)
            return true
        }
        pending = nil
        // An answer that was served unsaved is no longer what counts.
        if let stored { session.cell.publish(stored) }
        if stored?.credential.state == .signedOut {
            // Only after a sign-out: where a newer sign-in stands, a revocation could reach its grant as well.
            let context = ProviderContext(
                time: session.time,
                deadline: Deadline(session.options.signOutLimit, from: session.time.now)
            )
            let results = await session.provider.revoke(credential, in: context)
            for result in results {
                Trace.check("dropped \(result.subject) revoked", passed: result.failure == nil, clause: "RFC 7009 §2")
            }
            throw SessionError(.signedOut, "\(session.id.slot) was signed out meanwhile; sign in again.")
        }
        throw SessionError(.superseded, "\(session.id.slot) was signed in anew meanwhile; try again.")
    }

    private func serveUnsaved(
        _ credential: StoredCredential,
        failure: any Error,
        as outcome: (RenewalLanding) -> Result<RenewalLanding, any Error>
    ) {
        let next = RecordVersion(incarnation: entry.version.incarnation, revision: entry.version.revision + 1)
        let unsaved = VaultEntry(credential: credential, version: next)
        session.cell.publish(unsaved, isUnsaved: true)
        early(outcome(RenewalLanding(entry: unsaved, refreshed: true, failure: failure, isUnsaved: true)))
    }

    private func saveFailed(_ error: any Error) -> SessionError {
        SessionError(
            .saveFailed,
            "New tokens of \(session.id.slot) could not be stored, so none is given out: make room or mend the store, "
                + "then sign in again if the next call says so.",
            cause: error
        )
    }
}

extension StoredCredential {
    /// What renewals go by: another renewal in between has changed one of these.
    fileprivate var lineage: Set<TokenFingerprint> {
        Set([refreshToken?.fingerprint].compactMap(\.self) + companions.values.map(\.fingerprint))
    }
}
