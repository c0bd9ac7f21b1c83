extension RenewalJournal {
    /// Writes down what a failure leaves, by its delivery and remedy.
    func settle(_ failure: any ProviderFailure) async throws -> Verdict {
        if let error = failure as? SessionError, error.reason != .answerLost {
            guard error.reason == .ending else { throw error }  // The save or the record said so: nothing to write.
            return .keepsWorking(entry, error)
        }
        // A refusal of a step that sends nothing one-time is one all the same, where a person can sign in anew.
        let isRefusal = failure.delivery == .answered && session.provider.traits.needsSignIn
        if sent == nil, !isRefusal, failure.remedy == .signInAgain, !(failure is SessionError) {
            // Nothing was asked of the issuer: there is nothing to renew with, and what is held may still live.
            let error = SessionError(.noRefreshToken, failure.description, cause: failure)
            try await noteOnce(error)
            return .keepsWorking(entry, error)
        }
        var credential = pending ?? entry.credential
        credential.problem = Problem(code: failure.code, message: failure.description, at: session.time.now.wall)
        switch failure.delivery {
        case .answered, nil:
            if (failure as? SessionError)?.reason == .answerLost { break }  // May be served until it ends.
            if failure.remedy == .signInAgain { return .signInNeeded(try await refuse(failure, credential)) }
            credential = restoringIntent(in: credential)
        case .notSent:
            credential = restoringIntent(in: credential)
        case .answeredUnclear:
            // The server lives and did not say what became of the token: not counted as sent, but the doubt stays.
            if let sent { credential.intents[sent]?.sends = intentBefore?.sends ?? 0 }
        case .sentNoAnswer:
            break  // The intent stays: the same token is sent once more at most.
        }
        try await note(credential, failure)
        return .keepsWorking(entry, failure)
    }

    /// Writes down that there is nothing to renew with, once: nobody needs to come back for it.
    private func noteOnce(_ error: SessionError) async throws {
        guard entry.credential.problem?.code != error.code else { return }
        var credential = entry.credential
        credential.problem = Problem(code: error.code, message: error.detail, at: session.time.now.wall)
        try await note(credential, error)
    }

    /// Stores what a failure leaves; that this may fail too is no reason to hide what still lives.
    private func note(_ credential: StoredCredential, _ failure: any ProviderFailure) async throws {
        let previous = entry.credential.problem
        let due = schedule.due(credential, after: failure, previous: previous, at: session.time.now)
        if pending != nil {
            try await persist(credential, due: due, whenLate: .serve { _ in .failure(failure) })
        } else if credential != entry.credential {
            do {
                try await write(credential, due: due)
            } catch let overtaken as Overtaken {
                throw overtaken
            } catch {
                Trace.note("What failed could not be written down: \(error)")
            }
        }
        session.cell.publish(entry)
    }

    /// The issuer refused the token: nothing is deleted, and only if the store still holds what was sent.
    ///
    /// A sign-in that is refused its first access token has failed: what it had replaced is put back.
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
                failure.description,
                cause: failure
            )
        }
        if let earlier = credential.replaced { refused = earlier }
        do {
            try await write(refused, due: schedule.due(refused, at: session.time.now))
            session.cell.publish(entry)
        } catch let overtaken as Overtaken {
            throw overtaken
        } catch let unwritten {
            Trace.note("The refusal could not be written down: \(unwritten)")
        }
        return error
    }
}
