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

    private static let sendLimit = 2
    private static let conflictLimit = 8

    private let session: Session
    private let lease: any StoreLease
    private let early: @Sendable (RenewalLanding) -> Void
    /// What is stored, as far as this renewal knows.
    private(set) var entry: VaultEntry
    private var sent: TokenFingerprint?
    private var intentBefore: Intent?
    private var windowIsOpen = false

    init(
        session: Session,
        lease: any StoreLease,
        entry: VaultEntry,
        early: @escaping @Sendable (RenewalLanding) -> Void
    ) {
        self.session = session
        self.lease = lease
        self.entry = entry
        self.early = early
    }

    /// Takes an intent back that came to nothing, and returns what is stored.
    func declined() async throws -> VaultEntry {
        if sent != nil { try await write(restoringIntent(in: entry.credential)) }
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
        try await lease.confirm()
        var credential = entry.credential
        credential.intents[fingerprint] = Intent(sends: sends + 1, at: session.time.now.wall)
        try await write(credential)
        sent = fingerprint
        intentBefore = before
        try await FaultPoint.intentSaved.reached()
        return sends
    }

    /// Keeps an intermediate state; see `RenewalContext.commit`.
    func commit(_ credential: StoredCredential) async throws {
        _ = try await persist(answered(credential), mayServeUnsaved: false)
        intentBefore = nil  // The answer is kept: whatever fails from here on, it was not lost.
    }

    /// Keeps the result and publishes it.
    func keep(_ credential: StoredCredential) async throws -> RenewalLanding {
        try await FaultPoint.answerReceived.reached()
        var kept = answered(credential)
        kept.state = .signedIn
        kept.problem = nil
        kept.renewedAt = session.time.now
        let entry = try await persist(kept, mayServeUnsaved: session.options.saveFailure == .serveUnsaved)
        try await FaultPoint.answerSaved.reached()
        session.cell.publish(entry)
        return RenewalLanding(entry: entry, refreshed: true, failure: nil, isUnsaved: false)
    }

    /// Writes down what a failure leaves: DESIGN's promise 4, by delivery and remedy.
    func settle(_ failure: any ProviderFailure) async throws -> Verdict {
        if let error = failure as? SessionError, error.reason != .answerLost {
            guard error.reason == .ending else { throw error }  // The save or the record said so: nothing to write.
            return .keepsWorking(entry, error)
        }
        if sent == nil, failure.remedy == .signInAgain, !(failure is SessionError) {
            // Nothing was asked of the issuer: there is nothing to renew with, and what is held may still live.
            let error = SessionError(.noRefreshToken, "\(failure.description)", cause: failure)
            return .keepsWorking(entry, error)
        }
        var credential = entry.credential
        credential.problem = Problem(code: failure.code, message: failure.description, at: session.time.now.wall)
        switch failure.delivery {
        case .answered, nil:
            if (failure as? SessionError)?.reason == .answerLost { break }  // May be served until it ends.
            guard failure.remedy == .signInAgain else {
                if let sent { credential.intents[sent] = nil }
                break
            }
            return .signInNeeded(try await refuse(failure, credential))
        case .notSent:
            credential = restoringIntent(in: credential)
        case .answeredUnclear:
            // The server lives and did not say what became of the token: not counted as sent, but the doubt stays.
            if let sent { credential.intents[sent]?.sends = intentBefore?.sends ?? 0 }
        case .sentNoAnswer:
            break  // The intent stays: the same token is sent once more at most.
        }
        if credential != entry.credential { try await write(credential) }
        session.cell.publish(entry)
        return .keepsWorking(entry, failure)
    }

    /// Closes the window.
    func end() {
        if windowIsOpen { session.saveWindow.close() }
        windowIsOpen = false
    }

    /// The issuer refused the token: nothing is deleted, and only if the store still holds what was sent.
    private func refuse(_ failure: any ProviderFailure, _ credential: StoredCredential) async throws -> SessionError {
        guard try await session.vault.version(of: session.id) == entry.version else { throw Overtaken() }
        var refused = credential
        refused.state = .needsSignIn
        refused.intents = [:]
        let error: SessionError
        if intentBefore != nil {
            error = lostAnswer(cause: failure)
            refused.problem = Problem(code: error.code, message: error.detail, at: session.time.now.wall)
        } else {
            error = SessionError(
                .refreshRefused,
                "\(failure.description) Sign in to \(session.id.slot) again.",
                cause: failure
            )
        }
        try await write(refused)
        session.cell.publish(entry)
        return error
    }

    private func lostAnswer(cause: (any Error)?) -> SessionError {
        SessionError(
            .answerLost,
            "A refresh of \(session.id.slot) was cut off and the issuer's answer was lost; sign in again.",
            cause: cause
        )
    }

    /// What a provider returned, with what is not the provider's to change.
    private func answered(_ credential: StoredCredential) -> StoredCredential {
        var kept = credential
        kept.incarnation = entry.credential.incarnation
        kept.intents = entry.credential.intents
        if let sent { kept.intents[sent] = nil }
        return kept
    }

    private func restoringIntent(in credential: StoredCredential) -> StoredCredential {
        guard let sent else { return credential }
        var restored = credential
        restored.intents[sent] = intentBefore
        return restored
    }

    /// One save; a conflict means that this renewal was overtaken.
    private func write(_ credential: StoredCredential) async throws {
        do {
            let version = try await session.vault.save(credential, replacing: entry.version, under: lease)
            entry = VaultEntry(credential: credential, version: version)
        } catch let error as StoreError where error.code == .conflict || error.code == .leaseLost {
            throw Overtaken()
        }
    }

    /// Saves an answer that must not be lost: tried again until it is saved, overtaken, or given up by the options.
    private func persist(_ credential: StoredCredential, mayServeUnsaved: Bool) async throws -> VaultEntry {
        let spent = entry.credential.refreshToken?.fingerprint
        let start = session.time.now
        var pause = Duration.milliseconds(50)
        var conflicts = 0
        var isServedUnsaved = false
        while true {
            do {
                let version = try await session.vault.save(credential, replacing: entry.version, under: lease)
                entry = VaultEntry(credential: credential, version: version)
                return entry
            } catch let error as StoreError where error.code == .conflict || error.code == .leaseLost {
                conflicts += 1
                try await rebase(credential, spent: spent, isLast: conflicts == Self.conflictLimit)
                continue
            } catch let error as VaultError {
                throw error  // Sealing itself failed: trying again would not help.
            } catch {
                if session.time.now.since(start) >= session.options.saveGrace {
                    guard mayServeUnsaved else { throw saveFailed(error) }
                    if !isServedUnsaved { serveUnsaved(credential, failure: error) }
                    isServedUnsaved = true
                }
            }
            try await session.time.sleep(for: pause)
            pause = min(pause * 2, isServedUnsaved ? .seconds(30) : .seconds(1))
        }
    }

    /// After a conflict: goes on above a newer revision of the same state, and drops the answer otherwise.
    private func rebase(_ credential: StoredCredential, spent: TokenFingerprint?, isLast: Bool) async throws {
        let stored = try await session.vault.load(session.id)
        if !isLast, let stored, stored.credential.incarnation == credential.incarnation,
            stored.credential.state != .signedOut, stored.credential.refreshToken?.fingerprint == spent
        {
            entry = VaultEntry(credential: entry.credential, version: stored.version)
            return
        }
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

    private func serveUnsaved(_ credential: StoredCredential, failure: any Error) {
        let next = RecordVersion(incarnation: entry.version.incarnation, revision: entry.version.revision + 1)
        let unsaved = VaultEntry(credential: credential, version: next)
        session.cell.publish(unsaved, isUnsaved: true)
        early(RenewalLanding(entry: unsaved, refreshed: true, failure: failure, isUnsaved: true))
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
