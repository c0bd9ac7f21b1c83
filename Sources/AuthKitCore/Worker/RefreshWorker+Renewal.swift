extension RefreshWorker {
    /// What became of one renewal.
    enum Outcome: Sendable {
        case renewed(isUnsaved: Bool)
        /// It is not to be renewed before so long.
        case unneeded(Duration)
        /// Somebody else is renewing it.
        case busy
        case failed(code: String, retryAfter: Duration?)
        /// Trying again helps once somebody has mended the set-up.
        case misconfigured(code: String)
        case stopped(code: String)
    }

    /// Renews what was claimed, as a session does; and how long before the end its token had ended.
    nonisolated func renew(_ item: ClaimQueue.Item, _ window: SaveWindow) async -> (Outcome, late: Duration) {
        let start = time.now
        let credential = item.entry.credential
        let policy = item.provider.traits.refresh
        guard let judgement = RefreshJudgement(credential, policy: policy, at: start, spread: 1) else {
            return (.unneeded(options.claimDuration), .zero)
        }
        // A token that was sent and not answered is sent again while issuers take it, however long the other one lives.
        guard judgement.wait <= .zero || item.isInDoubt else {
            return (.unneeded(judgement.wait), .zero)
        }
        let session = Session(
            credential.id,
            provider: item.provider,
            vault: vault,
            time: time,
            saveWindow: window,
            options: options.session
        )
        // What was claimed is what is known: whoever renewed it since has done the work.
        session.cell.publish(item.entry)
        let outcome: Outcome
        do {
            let issued = try await session.token(
                for: TokenRequest(reason: judgement.reason),
                validFor: judgement.validFor
            )
            if let failure = issued.renewalFailure {
                outcome = issued.isUnsaved ? .renewed(isUnsaved: true) : Self.outcome(of: failure)
            } else if issued.refreshed {
                outcome = .renewed(isUnsaved: issued.isUnsaved)
            } else {
                // The provider had nothing newer; when to ask it again was saved.
                outcome = .unneeded(options.busyPause)
            }
        } catch {
            outcome = Self.outcome(of: error)
        }
        let end = judgement.end - time.now.since(start)
        return (outcome, late: max(.zero, .zero - end))
    }

    private nonisolated static func outcome(of failure: any Error) -> Outcome {
        switch failure {
        case let failure as SessionError where failure.reason == .busy: .busy
        case let failure as any ProviderFailure:
            switch failure.remedy {
            case .retry(let after): .failed(code: failure.code, retryAfter: after)
            case .fixConfiguration: .misconfigured(code: failure.code)
            case .signInAgain: .stopped(code: failure.code)
            }
        case let failure as StoreError where failure.code == .busy: .busy
        case let failure as StoreError: .failed(code: failure.code.description, retryAfter: nil)
        case let failure as VaultError: .failed(code: failure.code.description, retryAfter: nil)
        default: .failed(code: "unknown", retryAfter: nil)
        }
    }
}
