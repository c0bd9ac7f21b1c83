extension RefreshScheduler {
    /// What a session said to a renewal.
    private enum Answer: Sendable {
        case renewed
        case unneeded
        case failed(code: String, retryAfter: Duration?)
        /// Trying again helps once somebody has mended the set-up.
        case misconfigured(code: String)
        case stopped(code: String)
    }

    /// Begins a renewal, unless somebody else has renewed meanwhile.
    func begin(_ start: RefreshMachine.Start, at now: Moment) {
        let index = Int(start.id.index)
        guard let registration = registrations[index] else { return end(start, .unneeded, at: now) }
        let session = registration.session
        let policy = session.provider.traits.refresh
        var validFor = Duration.nanoseconds(1)
        var request = TokenRequest()
        var held: TokenFingerprint?
        let credential = session.cell.snapshot?.entry.credential
        if let credential, !Self.needsLook(credential) {
            // As early as it may be due: the share of the jitter that it was armed with is not known any more.
            let judgement = RefreshJudgement(credential, policy: policy, at: now, spread: 1)
            guard let judgement, judgement.wait <= .zero else {
                end(start, .unneeded, at: now)
                return judge(start.id, at: now)
            }
            validFor = judgement.validFor
            request.reason = judgement.reason
            held = credential.accessTokens[.primary]?.fingerprint
        }
        registrations[index]?.hasLooked = true
        let isLook = held == nil
        tasks[start.id.index] = Task { [weak self, request, validFor, held] in
            let answer = await Self.renew(session, request, validFor: validFor, held: held, isLook: isLook)
            await self?.finish(start, answer)
        }
    }

    /// Gives a renewal up that takes too long.
    func abandon(_ start: RefreshMachine.Start, pause: Duration, at now: Moment) {
        tasks.removeValue(forKey: start.id.index)?.cancel()
        guard let session = registrations[Int(start.id.index)]?.session else { return }
        note(.failed(code: "timed_out", retryIn: pause), of: session, at: now)
    }

    /// Takes in what came of a renewal, and arms the session anew.
    private func finish(_ start: RefreshMachine.Start, _ answer: Answer) {
        let now = now
        guard machine.isUnderWay(start) else { return }
        tasks[start.id.index] = nil
        guard let session = registrations[Int(start.id.index)]?.session else {
            end(start, .stopped, at: now)
            return wake()
        }
        let floor = session.provider.traits.refresh.floor
        switch answer {
        case .renewed:
            end(start, .renewed, at: now)
            note(.renewed(late: start.late), of: session, at: now)
            judge(start.id, at: now)
        case .unneeded:
            end(start, .unneeded, at: now)
            note(.unneeded, of: session, at: now)
            judge(start.id, at: now)
        case .failed(let code, let retryAfter):
            let pause = machine.finished(start, .failed(retryAfter: retryAfter, floor: floor), at: now)
            note(.failed(code: code, retryIn: pause ?? .zero), of: session, at: now)
        case .misconfigured(let code):
            let pause = max(floor, RenewalSchedule.longestPause)
            machine.finished(start, .failed(retryAfter: nil, floor: pause), at: now)
            note(.failed(code: code, retryIn: pause), of: session, at: now)
        case .stopped(let code):
            end(start, .stopped, at: now)
            registrations[Int(start.id.index)]?.judged = session.cell.snapshot?.entry.version.revision
            note(.stopped(code: code), of: session, at: now)
        }
        wake()
    }

    private func end(_ start: RefreshMachine.Start, _ outcome: RefreshMachine.Outcome, at now: Moment) {
        machine.finished(start, outcome, at: now)
    }

    /// Renews one session, if the token that was held is still the newest.
    private nonisolated static func renew(
        _ session: Session,
        _ request: TokenRequest,
        validFor: Duration,
        held: TokenFingerprint?,
        isLook: Bool
    ) async -> Answer {
        do {
            let issued = try await session.token(for: request, validFor: validFor)
            if let failure = issued.renewalFailure { return answer(to: failure) }
            if issued.refreshed { return .renewed }
            // The provider had nothing newer: asked again at once it would say the same.
            return isLook || issued.token.fingerprint != held ? .unneeded : .failed(code: "declined", retryAfter: nil)
        } catch is CancellationError {
            return .failed(code: "cancelled", retryAfter: nil)
        } catch {
            return answer(to: error)
        }
    }

    private nonisolated static func answer(to failure: any Error) -> Answer {
        switch failure {
        case let failure as any ProviderFailure:
            switch failure.remedy {
            case .retry(let after): .failed(code: failure.code, retryAfter: after)
            case .fixConfiguration: .misconfigured(code: failure.code)
            case .signInAgain: .stopped(code: failure.code)
            }
        // A store that fails may work again, and asking it again costs the issuer nothing.
        case let failure as StoreError: .failed(code: failure.code.description, retryAfter: nil)
        case let failure as VaultError: .failed(code: failure.code.description, retryAfter: nil)
        default: .failed(code: "unknown", retryAfter: nil)
        }
    }
}
