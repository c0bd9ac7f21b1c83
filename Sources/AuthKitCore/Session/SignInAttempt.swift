/// One sign-in by a person: lock, provider, save as a new incarnation.
final class SignInAttempt: Sendable {
    /// How far it came: whoever changes it first decides between the code and the caller's leaving.
    private enum Stage {
        /// Another sign-in of the credential may be under way.
        case queued
        /// The person has the word.
        case waiting
        case redeeming
        /// What is being redeemed is completed, and nobody waits for what would come after a refusal of it.
        case left
        case abandoned, ended
    }

    private static let conflictLimit = 8

    private let session: Session
    private let provider: any InteractiveTokenProvider
    private let agent: any UserAgent
    private let limit: Duration
    private let stage = Guarded(Stage.waiting)

    init(session: Session, provider: any InteractiveTokenProvider, agent: any UserAgent, limit: Duration) {
        self.session = session
        self.provider = provider
        self.agent = agent
        self.limit = limit
    }

    /// What an attempt was ended at.
    enum Abandonment: Sendable {
        /// It waited for another sign-in of the credential.
        case queued
        /// It was shown, or about to be; or the store did not answer.
        case waiting
    }

    /// Ends the attempt for its caller; nil when a code is being redeemed, which is completed whatever happens.
    func abandon() -> Abandonment? {
        stage.withLock { stage in
            let point: Abandonment
            switch stage {
            case .queued: point = .queued
            case .waiting: point = .waiting
            case .redeeming:
                stage = .left
                return nil
            case .left, .abandoned, .ended: return nil
            }
            stage = .abandoned
            return point
        }
    }

    /// Why a sign-in does not come about while another one is under way.
    func busy(cause: (any Error)? = nil) -> SessionError {
        SessionError(
            .busy,
            "Another sign-in of \(session.id.slot) is still waiting for a person; finish or end that one first.",
            cause: cause
        )
    }

    /// Runs to the end.
    func run() async throws -> SignInReport {
        let deadline = Deadline(limit, from: session.time.now)
        let before = try await stored()
        let lease = try await takeLease()
        let keeper = LeaseKeeper.keep(lease, time: session.time)
        defer { keeper?.cancel() }
        do {
            let report = try await signIn(before: before, deadline: deadline)
            await lease.release()
            closeWindow()
            return report
        } catch {
            await lease.release()
            closeWindow()
            throw error
        }
    }

    private func signIn(before: Stored, deadline: Deadline) async throws -> SignInReport {
        let base = try await stored()
        if let entry = base.entry, entry.credential.state == .signedIn, base.isLater(than: before) {
            session.cell.publish(entry, beginsLife: true)
            return report(entry, joined: true, before: before)  // The sign-in that we waited for.
        }
        try await session.vault.probe()
        let context = SignInContext(
            base: ProviderContext(time: session.time, deadline: deadline),
            blank: StoredCredential(id: session.id, incarnation: try .draw(), state: .signedIn),
            // What is not complete does not count: somebody's failed sign-in is nobody's account.
            previous: base.entry.map { $0.credential.replaced ?? $0.credential },
            willRedeem: { [self] in try openWindow() },
            mayWaitAgain: { [self] in isWaitingAgain() }
        )
        let result = try await provider.signIn(through: agent, in: context)
        do {
            try await FaultPoint.signInVerified.reached()
            let entry = try await save(result.credential, as: context.blank, above: base)
            session.cell.publish(entry, beginsLife: true)
            let first = try await firstToken(of: entry)
            let account = result.credential.account
            await result.receiver?.finish(.signedIn(account: account?.displayName ?? account?.subject))
            var report = report(entry, joined: false, before: before)
            if let issued = first.token { report.expiry = issued.token.expiry }
            report.tokenFailure = first.failure
            return report
        } catch {
            await result.receiver?.finish(.failed(message: "\(error)"))
            throw error
        }
    }

    /// Fetches the first access token where the sign-in brought none, as any later one: under the lease, with intents.
    ///
    /// A failure that may pass ends no sign-in, since the person is signed in; one that only a person can mend does,
    /// and then what was replaced is put back: a sign-in that failed leaves what was stored.
    private func firstToken(of entry: VaultEntry) async throws -> (token: IssuedToken?, failure: (any Error)?) {
        guard entry.credential.accessTokens[.primary] == nil else { return (nil, nil) }
        do {
            return (try await session.token(), nil)
        } catch let failure as any ProviderFailure where failure.remedy == .signInAgain {
            try await putBack(over: entry.version.incarnation, because: failure)
            throw failure
        } catch {
            return (nil, error)
        }
    }

    /// Puts back what was replaced, unless the refusal has done so, or somebody signed out or in meanwhile.
    private func putBack(over failed: Incarnation, because failure: any ProviderFailure) async throws {
        do {
            for _ in 0..<Self.conflictLimit {
                let present = try await stored()
                guard let version = present.version, version.incarnation == failed,
                    let earlier = present.entry?.credential.replaced
                else { return }
                let due = RenewalSchedule(traits: provider.traits).due(earlier, at: session.time.now)
                do {
                    let next = try await session.vault.save(earlier, replacing: version, due: due)
                    return session.cell.publish(VaultEntry(credential: earlier, version: next), beginsLife: true)
                } catch let error as StoreError where error.code == .conflict {
                    continue  // Others may write into the failed one too, such as what went wrong.
                }
            }
            throw SessionError(.busy, "The record of \(session.id.slot) changes all the time; sign in again.")
        } catch {
            throw SessionError(
                .saveFailed,
                "The sign-in failed (\(failure.code)), and the login of \(session.id.slot) from before could not be put "
                    + "back; mend the store, then sign in again.",
                cause: error
            )
        }
    }

    /// Replaces what was stored when the sign-in began; a refresh meanwhile is fine, a sign-out or sign-in is not.
    ///
    /// Without an access token it is not complete, and takes along what it replaces. That takes its own incarnation up
    /// again when it is put back: a renewal of it that is under way elsewhere keeps its answer.
    private func save(
        _ credential: StoredCredential,
        as blank: StoredCredential,
        above base: Stored
    ) async throws -> VaultEntry {
        var complete = credential
        complete.incarnation = blank.incarnation
        complete.state = .signedIn
        complete.problem = nil
        complete.intents = [:]
        complete.signedInAt = session.time.now.wall
        complete.renewedAt = session.time.now
        let start = session.time.now
        let due = RenewalSchedule(traits: provider.traits).due(complete, at: start)
        let blankBefore = StoredCredential(id: session.id, incarnation: try .draw(), state: .signedOut)
        var expected = base
        var conflicts = 0
        while true {
            if complete.accessTokens[.primary] == nil {
                let earlier = expected.entry?.credential
                complete.replaced = earlier?.replaced ?? earlier ?? blankBefore
            }
            do {
                let version = try await session.vault.save(complete, replacing: expected.version, due: due)
                return VaultEntry(credential: complete, version: version)
            } catch let error as StoreError where error.code == .conflict {
                conflicts += 1
                let present = try await stored()
                guard conflicts < Self.conflictLimit, present.version?.incarnation == base.version?.incarnation else {
                    throw SessionError(
                        .superseded,
                        "\(session.id.slot) was signed out or in by another command meanwhile; sign in again."
                    )
                }
                expected = present
            } catch let error as VaultError {
                throw error
            } catch {
                guard session.time.now.since(start) < session.options.saveGrace else {
                    throw SessionError(
                        .saveFailed,
                        "The new tokens of \(session.id.slot) could not be stored; make room or mend the store, then "
                            + "sign in again.",
                        cause: error
                    )
                }
                try await session.time.sleep(for: .milliseconds(200))
            }
        }
    }

    private struct Stored {
        let entry: VaultEntry?
        let version: RecordVersion?

        /// Whether somebody signed in since an earlier look; a sign-in that failed and was undone is none.
        func isLater(than earlier: Stored) -> Bool {
            guard version?.incarnation != earlier.version?.incarnation else { return false }
            guard let start = entry?.credential.signedInAt, let before = earlier.entry?.credential.signedInAt else {
                return true
            }
            return start >= before
        }
    }

    /// What is stored; a record that does not open counts by its version, so that signing in replaces it.
    private func stored() async throws -> Stored {
        do {
            let entry = try await session.vault.load(session.id)
            return Stored(entry: entry, version: entry?.version)
        } catch let error as VaultError where error.code == .tampered {
            return Stored(entry: nil, version: try await session.vault.version(of: session.id))
        }
    }

    private func takeLease() async throws -> any StoreLease {
        move(from: .waiting, to: .queued)
        defer { move(from: .queued, to: .waiting) }
        do {
            return try await session.vault.lease(session.id, for: .signIn, waiting: limit)
        } catch let error as StoreError where error.code == .busy {
            throw busy(cause: error)
        }
    }

    private func report(_ entry: VaultEntry, joined: Bool, before: Stored) -> SignInReport {
        let credential = entry.credential
        let account = credential.account
        let earlier = before.entry.flatMap { $0.credential.replaced ?? $0.credential }?.account
        return SignInReport(
            account: account,
            expiry: credential.accessTokens[.primary].map { credential.expiry(of: $0) } ?? .unknown,
            joined: joined,
            replaced: earlier?.subject == account?.subject && earlier?.issuer == account?.issuer ? nil : earlier
        )
    }

    private func move(from stage: Stage, to next: Stage) {
        self.stage.withLock { if $0 == stage { $0 = next } }
    }

    private func openWindow() throws {
        try stage.withLock { stage in
            guard stage == .waiting else {
                if stage == .redeeming || stage == .left { return }
                throw CancellationError()
            }
            guard session.saveWindow.open() else {
                throw SessionError(.ending, "The process is ending, so the sign-in was not completed; sign in again.")
            }
            stage = .redeeming
        }
    }

    private func closeWindow() {
        let wasOpen = stage.withLock { stage in
            defer { stage = .ended }
            return stage == .redeeming || stage == .left
        }
        if wasOpen { session.saveWindow.close() }
    }

    /// Gives the person the word again, unless the caller has left meanwhile.
    private func isWaitingAgain() -> Bool {
        let before = stage.withLock { stage in
            defer { if stage == .redeeming { stage = .waiting } }
            return stage
        }
        if before == .redeeming { session.saveWindow.close() }
        return before == .redeeming || before == .waiting
    }
}
