public import AuthKitCore

extension OIDCProvider {
    /// Signs a person in with a code and PKCE, and verifies everything that came back.
    ///
    /// Order: answer (repeats, `state`, `iss`), token answer, ID token (signature, claims, `nonce`, `at_hash`). Throws
    /// `OIDCError` and what the transport and the agent throw; the person is then shown why.
    public func signIn(through agent: any UserAgent, in context: SignInContext) async throws -> SignInResult {
        guard !configuration.redirectURIs.isEmpty else {
            throw OIDCError.configuration("No redirect URI is configured; set one that is registered at the issuer.")
        }
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
        let metadata = try await metadata(in: context.base)
        let transaction = try AuthorizationTransaction.begin(
            metadata: metadata,
            redirectURI: receiver.redirectURI,
            isOpenID: configuration.isOpenID
        )
        let url = try transaction.url(configuration)
        let state = transaction.state
        let answer = try await present(url.text, at: receiver, state: state, in: context.base)
        return try await redeem(try transaction.accept(answer), in: context)
    }

    /// Waits for the answer with our state, no longer than the person may take.
    private func present(
        _ url: String,
        at receiver: any RedirectReceiver,
        state: Secret,
        in context: ProviderContext
    ) async throws -> RedirectAnswer {
        try await withThrowingTaskGroup(of: RedirectAnswer?.self) { group in
            group.addTask {
                try await receiver.present(url) { AuthorizationAnswerCheck.hasState(state, $0) }
            }
            group.addTask {
                try await context.time.sleep(for: context.deadline.remaining(at: context.time.now))
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let answer = first else {
                throw OIDCError(
                    .signInTimedOut,
                    "Nobody finished the sign-in in time; sign in again.",
                    remedy: .signInAgain
                )
            }
            return answer
        }
    }

    /// Exchanges the code and makes the credential of what was verified.
    private func redeem(_ grant: consuming CodeGrant, in context: SignInContext) async throws -> StoredCredential {
        let metadata = grant.metadata
        // RFC 8707 §2.2: the resources are named at the token endpoint too.
        let form = grant.form + configuration.resources.map { FormParameter("resource", $0) }
        try context.willRedeem()
        let answer = try await exchangeCode(form, at: metadata, in: context.base)
        let tokens = try answer.tokens.get()
        var credential = context.blank
        credential.state = .signedIn
        if configuration.isOpenID {
            // OpenID Connect Core §3.1.3.3: the answer to an OpenID request has an ID token.
            guard let idToken = tokens.idToken else {
                throw OIDCError(
                    .missingIDToken,
                    "The issuer sent no ID token although openid was asked for; check the client's registration.",
                    remedy: .fixConfiguration,
                    delivery: .answered
                )
            }
            let claims = try await verify(
                idToken,
                beside: tokens.access,
                of: answer,
                at: metadata,
                .signIn(nonce: grant.nonce),
                in: context.base
            )
            credential.idToken = claims.held(idToken)
            credential.account = claims.account
        }
        credential.accessTokens[.primary] = tokens.access
        credential.refreshToken = tokens.refresh
        credential.grantedScope = answer.scope ?? configuration.scope
        credential.attributes[ProviderMetadata.attribute] = metadata.stored(for: configuration.issuer)
        credential.clockOffset = answer.clockOffset
        credential.signedInAt = answer.receivedAt.wall
        credential.renewedAt = answer.receivedAt
        return credential
    }

    private func exchangeCode(
        _ form: [FormParameter],
        at metadata: ProviderMetadata,
        in context: ProviderContext
    ) async throws -> TokenAnswer {
        do {
            return try await tokenEndpoint.exchange(
                .code,
                form,
                at: metadata,
                requestedScope: configuration.scope,
                within: limit(in: context),
                time: context.time
            )
        } catch let error as OIDCError where error.isAddressGone {
            known.forget()
            throw error
        }
    }

    private static func sentence(for error: any Error) -> String {
        if let failure = error as? any ProviderFailure { return failure.description }
        return error is CancellationError ? "The sign-in was cancelled." : "The sign-in failed; try again."
    }
}
