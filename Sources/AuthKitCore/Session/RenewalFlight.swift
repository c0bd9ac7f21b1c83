/// The work of one flight: load, lease, read again, renew, save, publish.
struct RenewalFlight: Sendable {
    /// Lets callers go on before the work has ended.
    typealias Early = @Sendable (Result<RenewalLanding, any Error>) -> Void

    private static let restartLimit = 3

    let session: Session
    let order: RenewalOrder

    /// Carries a failure that the sessions have been told of.
    private struct Told: Error {
        let failure: any Error
    }

    /// Runs to the end, and tells the sessions what it comes to.
    ///
    /// `early` is called when callers may go on though the store does not have the answer yet.
    func run(early: @escaping Early) async throws -> RenewalLanding {
        let lives = session.cell.lives
        do {
            return try await fly(early, since: lives)
        } catch let told as Told {
            throw told.failure
        } catch {
            session.cell.renewalMissed(failure: error, since: lives)
            throw error
        }
    }

    private func fly(_ early: @escaping Early, since lives: Int) async throws -> RenewalLanding {
        let unsaved = session.cell.snapshot.flatMap { $0.isUnsaved ? $0.entry : nil }
        let first = if let unsaved { unsaved } else { try await load() }
        // What the caller knew may be hours old: that another token is here does not say that it came just now.
        if let landing = landing(first, since: nil, isUnsaved: unsaved != nil) { return landing }
        let baseline = RenewalOrder.Baseline(token: heldToken(first))
        let lease: any StoreLease
        do {
            // While an answer waits to be stored its flight holds the lease: there is nothing to wait for.
            let patience = unsaved == nil ? session.options.leaseWait : .zero
            lease = try await session.vault.lease(session.id, for: .refresh, waiting: patience)
        } catch let error as StoreError where error.code == .busy {
            let landing = try await withoutLease(unsaved, baseline, cause: error)
            if landing.failure != nil { session.cell.renewalMissed(failure: landing.failure, since: lives) }
            return landing
        }
        // The next holder of the lease may begin as soon as it is given back: what there is to tell is told before.
        do {
            let result = try await renewUnderLease(lease, baseline: baseline, early: early)
            session.cell.renewalEnds(failure: result.failure)
            await lease.release()
            return result
        } catch {
            session.cell.renewalEnds(failure: error)
            await lease.release()
            throw Told(failure: error)
        }
    }

    /// What is stored and still lives, for a caller that does not wait for the end; the failure, if nothing does.
    func held(despite failure: any Error) async throws -> RenewalLanding {
        try serve(try await load(), despite: failure, isUnsaved: false)
    }

    private func renewUnderLease(
        _ lease: any StoreLease,
        baseline: RenewalOrder.Baseline,
        early: @escaping Early
    ) async throws -> RenewalLanding {
        for round in 0..<Self.restartLimit {
            let current = try await load()
            try await FaultPoint.leaseTaken.reached()
            // Someone else may have renewed between our first look and now.
            if let landing = landing(current, since: baseline, isUnsaved: false) { return landing }
            guard current.credential.state == .signedIn else { throw needsSignIn(current.credential) }
            if round == 0 { session.cell.renewalBegins(of: current.credential.incarnation) }
            let journal = RenewalJournal(
                session: session,
                lease: lease,
                key: order.request.key,
                entry: current,
                early: early
            )
            do {
                let landing = try await attempt(journal, held: current.credential)
                await journal.end()
                return landing
            } catch is RenewalJournal.Overtaken {
                await journal.end()  // The record changed under us and nothing of ours is in it: look again.
            } catch {
                await journal.end()
                throw error
            }
        }
        throw SessionError(.busy, "The record of \(session.id.slot) changes all the time; try again.")
    }

    private func attempt(_ journal: RenewalJournal, held: StoredCredential) async throws -> RenewalLanding {
        let context = RenewalContext(
            base: ProviderContext(
                time: session.time,
                deadline: Deadline(session.options.renewalLimit, from: session.time.now)
            ),
            willSendOneTime: { try await journal.willSendOneTime($0) },
            commit: { try await journal.commit($0) }
        )
        let renewal: Renewal
        do {
            renewal = try await session.provider.renew(held, for: order.request, in: context)
        } catch let error as RenewalJournal.Overtaken {
            throw error
        } catch let failure as any ProviderFailure {
            return try await settle(failure, journal)
        } catch let error as StoreError {
            // The intent could not be written, so nothing was sent.
            return try serve(await journal.entry, despite: error, isUnsaved: false)
        } catch let error as VaultError where error.code != .tooLarge {
            // The same: an answer is not given up for one of these.
            return try serve(await journal.entry, despite: error, isUnsaved: false)
        }
        switch renewal {
        case .renewed(let credential):
            return try await journal.keep(credential)
        case .declined(let reason):
            Trace.note("The provider has nothing newer: \(reason)")
            return landing(try await journal.declined(), refreshed: false, declined: true)
        }
    }

    /// Writes down what a failure means, and serves what still lives.
    private func settle(_ failure: any ProviderFailure, _ journal: RenewalJournal) async throws -> RenewalLanding {
        let verdict = try await journal.settle(failure)
        switch verdict {
        case .signInNeeded(let error):
            throw error
        case .keepsWorking(let entry, let error):
            return try serve(entry, despite: error, isUnsaved: false)
        }
    }

    /// What is held and still lives, with the failure beside it; the failure, if nothing does.
    private func serve(
        _ entry: VaultEntry,
        despite failure: any Error,
        isUnsaved: Bool
    ) throws -> RenewalLanding {
        guard let token = entry.credential.accessTokens[order.request.key],
            entry.credential.isAlive(token, at: session.time.now), !isRejected(token)
        else { throw failure }
        return RenewalLanding(entry: entry, refreshed: false, failure: failure, isUnsaved: isUnsaved)
    }

    /// The lease is not to be had: someone else's result, or what still lives, or the failure.
    private func withoutLease(
        _ unsaved: VaultEntry?,
        _ baseline: RenewalOrder.Baseline,
        cause: StoreError
    ) async throws -> RenewalLanding {
        let entry = if let unsaved { unsaved } else { try await load() }
        if let landing = landing(entry, since: baseline, isUnsaved: unsaved != nil) { return landing }
        let error = SessionError(
            .busy,
            "Another process is renewing \(session.id.slot) and did not finish in time; try again.",
            cause: cause
        )
        return try serve(entry, despite: error, isUnsaved: unsaved != nil)
    }

    private func load() async throws -> VaultEntry {
        guard let entry = try await session.vault.load(session.id) else {
            guard !session.provider.traits.needsSignIn else { throw needsSignIn(nil) }
            let empty = StoredCredential(id: session.id, incarnation: try .draw(), state: .signedIn)
            do {
                let version = try await session.vault.save(empty, replacing: nil)
                return VaultEntry(credential: empty, version: version)
            } catch let error as StoreError where error.code == .conflict {
                // Another first use made it; a purge right after that is the one thing left that could be told.
                guard let made = try await session.vault.load(session.id) else { throw error }
                return try signedIn(made)
            }
        }
        return try signedIn(entry)
    }

    private func signedIn(_ stored: VaultEntry) throws -> VaultEntry {
        var entry = stored
        if !session.provider.isCurrent(stored.credential) {
            Trace.note("What is held was made from another key or file than is set up now, and is not used.")
            var credential = stored.credential
            credential.accessTokens = [:]
            entry = VaultEntry(credential: credential, version: stored.version)
        }
        session.cell.publish(entry)
        guard entry.credential.state == .signedIn else { throw needsSignIn(entry.credential) }
        return entry
    }

    /// What is held, if it will do without a renewal.
    private func landing(
        _ entry: VaultEntry,
        since baseline: RenewalOrder.Baseline?,
        isUnsaved: Bool
    ) -> RenewalLanding? {
        let refreshed: Bool
        switch order.judge(entry.credential, baseline: baseline, at: session.time.now) {
        case .insufficient: return nil
        case .lastsLongEnough: refreshed = false
        case .cameSince: refreshed = true
        }
        // What is unsaved was published as such by the flight that tries to store it.
        guard isUnsaved else { return landing(entry, refreshed: refreshed) }
        return RenewalLanding(entry: entry, refreshed: refreshed, failure: nil, isUnsaved: true)
    }

    private func heldToken(_ entry: VaultEntry) -> TokenFingerprint? {
        entry.credential.accessTokens[order.request.key]?.fingerprint
    }

    private func isRejected(_ token: HeldToken) -> Bool {
        guard case .rejected(let rejected) = order.request.reason else { return false }
        return token.fingerprint == rejected
    }

    private func landing(_ entry: VaultEntry, refreshed: Bool, declined: Bool = false) -> RenewalLanding {
        session.cell.publish(entry)
        return RenewalLanding(entry: entry, refreshed: refreshed, declined: declined, failure: nil, isUnsaved: false)
    }

    private func needsSignIn(_ credential: StoredCredential?) -> SessionError {
        let slot = session.id.slot
        switch credential?.state {
        case nil:
            return SessionError(.signInNeeded, "Nobody is signed in to \(slot) yet; sign in first.")
        case .signedOut:
            return SessionError(.signedOut, "\(slot) is signed out; sign in again.")
        case .needsSignIn where credential?.problem?.code == "answer_lost":
            return SessionError(.answerLost, credential?.problem?.message ?? "The answer was lost; sign in again.")
        case .needsSignIn, .signedIn:
            let why = credential?.problem?.message
            return SessionError(
                .refreshRefused,
                why ?? "The issuer no longer accepts what is held for \(slot); sign in again."
            )
        }
    }
}
