public import AuthKitCore

extension NianticProvider {
    /// Fetches an access token by the shortest way that works: step 3 with the NSDK refresh token, else steps 1 to 3.
    ///
    /// The session token is rotated when it nears its own end, even where the rest still lives. After a sign-in, or
    /// when a rotation has been kept and nothing came after it, steps 2 and 3 are made. Each rotated token is committed
    /// before the next step uses it. An NSDK refresh token that is refused, or of whose last use no answer came, is
    /// given up for steps 1 to 3. Throws `session_ended` when neither token lives.
    public func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        guard request.key == .primary else {
            throw NianticError(
                .unsupported,
                "An NSDK access token knows no audience, scope or resource; ask for none.",
                remedy: .fixConfiguration
            )
        }
        var credential = held
        let now = context.base.time.now
        let session = held.companions[Self.sessionCompanion].flatMap { isAlive($0, of: held, at: now) ? $0 : nil }
        let refresh = held.refreshToken.flatMap { isAlive($0, of: held, at: now) ? $0 : nil }
        let sessionIsDue = session.map { isDue($0, of: held, at: now) } ?? false
        let isInDoubt = refresh.map { held.intents[$0.fingerprint] != nil } ?? false
        if let refresh, session == nil || !sessionIsDue && !isInDoubt {
            do {
                return .renewed(try await fetchAccess(with: refresh, into: credential, in: context))
            } catch let error as NianticError where error.reason == .refreshRefused && session != nil {
                Trace.note("The NSDK refresh token is refused; the session token makes another.")
            }
        }
        guard let session else {
            throw NianticError(
                .sessionEnded,
                "The session has ended and nothing that is held renews it; sign in again.",
                remedy: .signInAgain
            )
        }
        // Refused, or in doubt: given up with the next commit; until then its intent keeps it from being sent again.
        if !sessionIsDue { credential.refreshToken = nil }
        let isFirst = held.refreshToken == nil && held.accessTokens[.primary] == nil
        let isSessionInDoubt = held.intents[session.fingerprint] != nil
        if !isFirst || sessionIsDue || isSessionInDoubt {
            try await rotate(session, in: &credential, context)
        }
        return .renewed(try await exchange(into: credential, in: context))
    }

    /// Step 1, kept before anything uses it.
    private func rotate(
        _ session: HeldToken,
        in credential: inout StoredCredential,
        _ context: RenewalContext
    ) async throws {
        try await context.willSendOneTime(session.value)
        let rotation = try await rotate(session, in: context.base)
        credential.account = try same(credential.account, as: account(of: rotation.session.value))
        credential.companions[Self.sessionCompanion] = rotation.session
        credential.clockOffset = rotation.clockOffset ?? credential.clockOffset
        try await context.commit(credential)
    }

    /// Steps 2 and 3.
    private func exchange(into held: StoredCredential, in context: RenewalContext) async throws -> StoredCredential {
        var credential = held
        guard let session = credential.companions[Self.sessionCompanion] else { return held }
        let made: MadeRefresh
        do {
            made = try await makeRefresh(with: session.value, in: context.base)
            do {
                try checkSubject(of: made.refresh.value, against: credential.account)
            } catch {
                throw UnfinishedStep(rotated: made.rotated, cause: error)
            }
        } catch let step as UnfinishedStep {
            if let rotated = step.rotated {
                credential.companions[Self.sessionCompanion] = rotated
                try await context.commit(credential)
            }
            throw step.cause
        }
        if let rotated = made.rotated { credential.companions[Self.sessionCompanion] = rotated }
        credential.refreshToken = made.refresh
        credential.clockOffset = made.clockOffset ?? credential.clockOffset
        try await context.commit(credential)
        return try await fetchAccess(with: made.refresh, into: credential, in: context)
    }

    /// Step 3, with the successor of the refresh token kept whatever is wrong beside it.
    private func fetchAccess(
        with refresh: HeldToken,
        into held: StoredCredential,
        in context: RenewalContext
    ) async throws -> StoredCredential {
        var credential = held
        try await context.willSendOneTime(refresh.value)
        let made = try await makeAccess(with: refresh, in: context.base)
        credential.refreshToken = made.refresh ?? refresh
        credential.clockOffset = made.clockOffset ?? credential.clockOffset
        do {
            let access = try made.access.get()
            try checkSubject(of: access.value, against: credential.account)
            try await Self.checked(access.value, .access, by: check)
            credential.accessTokens[.primary] = access
        } catch {
            if made.refresh != nil { try await context.commit(credential) }
            throw error
        }
        credential.renewedAt = made.receivedAt
        credential.problem = nil
        return credential
    }

    private func isAlive(_ token: HeldToken, of credential: StoredCredential, at now: Moment) -> Bool {
        let expiry = credential.expiry(of: token)
        if configuration.assumptions.undatedToken == .ended, expiry.remaining(at: now) == .unknown { return false }
        return expiry.lasts(for: .nanoseconds(1), at: now)
    }

    /// Whether the session token is to be saved from ending, by the policy.
    private func isDue(_ token: HeldToken, of credential: StoredCredential, at now: Moment) -> Bool {
        let wait = configuration.refresh.wait(
            untilRenewalOf: credential.expiry(of: token),
            receivedAt: credential.renewedAt,
            at: now,
            spread: 1
        )
        return wait.map { $0 <= .zero } ?? false
    }
}
