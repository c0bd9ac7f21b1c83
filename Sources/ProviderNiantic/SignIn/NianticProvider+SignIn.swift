public import AuthKitCore

extension NianticProvider {
    /// Signs a person in at the browser and rotates the session token that came: step 1 of 3.
    ///
    /// The credential that is returned has no access token yet: the session stores it first, then makes steps 2 and 3
    /// as it makes any renewal, so that the rotated token is durable before it is used. Order: one callback with a
    /// usable token of the account that may sign in (another one than the stored needs `allowsAccountSwitch`), the check
    /// of its signature where there is one, the person's yes, step 1, the same account in the rotated token. A token
    /// that the check, the person or the service refuses may be a stranger's: `refused` is told, and another waited for.
    /// Throws `NianticError` and what the transport and the agent throw; nothing is sent before the yes.
    public func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult {
        let receiver = try await agent.prepare(configuration.redirectURIs)
        do {
            let credential = try await signIn(at: receiver, in: context)
            return SignInResult(credential: credential, receiver: receiver)
        } catch {
            await receiver.finish(.failed(message: Self.sentence(for: error)))
            throw error
        }
    }

    private func signIn(at receiver: any RedirectReceiver, in context: SignInContext) async throws -> StoredCredential {
        let url = try signInAddress(for: receiver.redirectURI)
        let callback = CallbackCheck(
            isLoopback: configuration.redirectType.usesLoopback,
            used: context.previous?.attributes[Self.callbackAttribute],
            leeway: configuration.assumptions.callbackLeeway,
            time: context.base.time,
            otherAccount: { [self, previous = context.previous] in otherAccount($0, than: previous) },
            // Where one answer is all that is taken, what is wrong with it is thrown.
            tell: { [refused] refusal in if receiver.canWaitAgain { refused?(refusal) } }
        )
        let first = callback.round
        var answer = try await wait(for: callback, at: receiver, in: context.base) {
            try await receiver.present(url.text) { callback.accepts($0, in: first) }
        }
        while true {
            do {
                return try await credential(of: answer, callback, at: receiver, in: context)
            } catch let refusal as NianticError where refusal.reason.isAboutTheCallback && receiver.canWaitAgain {
                guard context.mayWaitAgain() else { throw refusal }
                callback.giveUp(because: refusal)
                let (next, pause) = (callback.round, callback.pause)
                answer = try await wait(for: callback, at: receiver, in: context.base) {
                    if pause > .zero { try await context.base.time.sleep(for: pause) }
                    return try await receiver.waitAgain(refusing: refusal.detail) { callback.accepts($0, in: next) }
                }
            }
        }
    }

    /// What comes of the token in an answer.
    private func credential(
        of answer: RedirectAnswer,
        _ callback: CallbackCheck,
        at receiver: any RedirectReceiver,
        in context: SignInContext
    ) async throws -> StoredCredential {
        guard let token = callback.token(in: answer) else {
            throw NianticError(
                .invalidSessionToken,
                "The answer that was accepted has no session token; report this to the author of the user agent.",
                remedy: .signInAgain
            )
        }
        try await Self.checked(token, .session, by: check)
        let account = account(of: token)
        try await confirmed(account, token, previous: context.previous, mayWait: receiver.canWaitAgain)
        return try await establish(token, account, in: context)
    }

    /// The sign-in page's address: `redirectType`, and the port where the answer comes to loopback.
    private func signInAddress(for redirectURI: String) throws(NianticError) -> WebURL {
        let page = try NianticConfiguration.address(configuration.signInURL, "sign-in URL")
        var parameters = [FormParameter("redirectType", configuration.redirectType.name)]
        if configuration.redirectType.usesLoopback {
            guard let redirect = WebURL(redirectURI), redirect.isLoopback else {
                throw .configuration("The answer would come to an address that is not on loopback.")
            }
            parameters.append(FormParameter("port", String(redirect.port)))
        }
        guard let url = page.adding(parameters) else { throw .configuration("The sign-in URL cannot be used.") }
        return url
    }

    /// Waits for the one callback that is taken, no longer than the person may take.
    private func wait(
        for callback: CallbackCheck,
        at receiver: any RedirectReceiver,
        in context: ProviderContext,
        _ answer: @escaping @Sendable () async throws -> RedirectAnswer
    ) async throws -> RedirectAnswer {
        do {
            return try await withThrowingTaskGroup(of: RedirectAnswer.self) { group in
                group.addTask { try await answer() }
                let limit = context.deadline.remaining(at: context.time.now)
                group.addTask {
                    // A little before whoever else watches the deadline, and knows nothing of what the callbacks said.
                    try await context.time.sleep(for: limit - min(limit / 20, .milliseconds(250)))
                    throw NianticError(
                        .signInTimedOut,
                        "Nobody finished the sign-in in time; sign in again.\(callback.refusal.map { " " + $0.detail } ?? "")",
                        remedy: .signInAgain
                    )
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            }
        } catch let error as NianticError where error.reason == .signInTimedOut {
            throw error
        } catch {
            // An agent that takes one callback only gives up over it; what was wrong with that is told.
            guard !receiver.canWaitAgain, !(error is CancellationError), let fault = callback.accountFault else {
                throw error
            }
            throw fault
        }
    }

    /// Why a token is not for the account that may sign in; nil when it is.
    private func otherAccount(_ token: Secret, than previous: StoredCredential?) -> NianticError? {
        let account = account(of: token)
        let proposal = SignInProposal(account, AnswerExpiry.ofRenewable(token), over: previous)
        guard proposal.isSwitch, !configuration.allowsAccountSwitch else { return nil }
        return NianticError(
            .accountChanged,
            "The callback is for \(Self.words(for: account)) and not for \(Self.words(for: proposal.previous)), "
                + "who was signed in; allow another account explicitly if that was meant, or sign out first.",
            remedy: .signInAgain
        )
    }

    private func confirmed(
        _ account: Account?,
        _ token: Secret,
        previous: StoredCredential?,
        mayWait: Bool
    ) async throws {
        let proposal = SignInProposal(account, AnswerExpiry.ofRenewable(token), over: previous)
        guard let confirm else { return }
        let decision = try await confirm(proposal)
        guard decision != .signIn else { return }
        throw NianticError(
            decision == .waitForAnother && mayWait ? .callbackDeclined : .signInDeclined,
            "The sign-in as \(Self.words(for: account)) was declined, and nothing was sent; sign in again.",
            remedy: .signInAgain
        )
    }

    /// Step 1, and the credential of what it brought.
    private func establish(
        _ token: Secret,
        _ account: Account?,
        in context: SignInContext
    ) async throws -> StoredCredential {
        try context.willRedeem()
        let session = HeldToken(token, type: Self.sessionType, expiry: AnswerExpiry.ofRenewable(token))
        let rotation = try await rotate(session, in: context.base)
        var credential = context.blank
        credential.state = .signedIn
        credential.account = try same(account, as: self.account(of: rotation.session.value))
        credential.companions[Self.sessionCompanion] = rotation.session
        credential.attributes[Self.callbackAttribute] = TokenFingerprint(of: token).word
        credential.clockOffset = rotation.clockOffset
        credential.signedInAt = rotation.receivedAt.wall
        credential.renewedAt = rotation.receivedAt
        return credential
    }

    private static func words(for account: Account?) -> String {
        account.map { $0.displayName ?? $0.subject } ?? "somebody not named"
    }

    private static func sentence(for error: any Error) -> String {
        if let failure = error as? any ProviderFailure { return failure.description }
        return error is CancellationError ? "The sign-in was cancelled." : "The sign-in failed; try again."
    }
}
