extension Session {
    /// Signs a person in through a user agent and stores the tokens as a new incarnation.
    ///
    /// Proves that the store can be written before anybody is shown a page. A second sign-in of the same credential
    /// waits for the first, in any process, and takes its result. What was stored before stays untouched until the new
    /// tokens are verified and replaces it then; a sign-out meanwhile wins. A sign-in that brought no access token and is
    /// refused its first one puts back what it replaced. `limit` is the person's time: once the code
    /// is being redeemed, neither it nor the caller's cancellation stops the save, and where sign-in brings no access
    /// token, the first one is fetched within the limits of a renewal. Throws `SessionError`, errors of the
    /// provider, and `CancellationError` at once.
    public func signIn(
        through agent: any UserAgent,
        within limit: Duration = .seconds(300)
    ) async throws -> SignInReport {
        try checkUse()
        guard let provider = provider as? any InteractiveTokenProvider else {
            throw SessionError(
                .interactionUnsupported,
                "\(id.slot) needs no sign-in by a person: ask for a token, or call signIn(within:) after a sign-out."
            )
        }
        return try await signIn(with: provider, through: agent, within: limit)
    }

    /// Begins anew where a token comes without anybody signing in; after a sign-out nothing else does.
    ///
    /// For providers whose traits say that nobody has to sign in, such as a service account. A first token is fetched,
    /// and replaces what was stored once it is there: a failure leaves that untouched. Otherwise as a sign-in by a
    /// person. Throws `interaction_unsupported` where a person has to sign in, `issuer_silent` when there was no token
    /// in time, other errors of `SessionError` and of the provider, and `CancellationError` at once.
    public func signIn(within limit: Duration = .seconds(60)) async throws -> SignInReport {
        try checkUse()
        guard !provider.traits.needsSignIn else {
            throw SessionError(
                .interactionUnsupported,
                "A person has to sign in to \(id.slot): call signIn(through:within:) with a user agent."
            )
        }
        return try await signIn(with: UnattendedSignIn(provider), through: UnattendedSignIn.NoPage(), within: limit)
    }

    private func signIn(
        with provider: any InteractiveTokenProvider,
        through agent: any UserAgent,
        within limit: Duration
    ) async throws -> SignInReport {
        let watched = WatchedAgent(agent)
        let attempt = SignInAttempt(session: self, provider: provider, agent: watched, limit: limit)
        let flight = Flight<SignInReport>()
        let work = Task {
            let result: Result<SignInReport, any Error>
            do {
                result = .success(try await attempt.run())
            } catch {
                result = .failure(error)
            }
            flight.land(result)
        }
        let timer = Task { [time, id] in
            do {
                try await time.sleep(for: limit)
            } catch {
                return  // The sign-in ended first.
            }
            guard let point = attempt.abandon() else { return }
            let error =
                switch point {
                case .queued: attempt.busy()
                case .waiting where watched.hasPresented:
                    SessionError(.timedOut, "Nobody finished signing in to \(id.slot) in time; try again.")
                case .waiting:
                    SessionError(
                        .issuerSilent,
                        provider.traits.needsSignIn
                            ? "There was no answer in time to show a sign-in page for \(id.slot); try again later."
                            : "There was no token for \(id.slot) in time; try again later."
                    )
                }
            flight.land(.failure(error))
            work.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await flight.wait()
        } onCancel: {
            if attempt.abandon() != nil { work.cancel() }
        }
    }
}
