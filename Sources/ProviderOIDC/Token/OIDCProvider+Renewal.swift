public import AuthKitCore

extension OIDCProvider {
    /// Exchanges the refresh token and merges what came, field by field, into what is held.
    ///
    /// A rotated refresh token is committed before the ID token of the same answer is checked, so that a failed check
    /// loses nothing; the new access token is then not used. So is one that came with an access token which cannot be
    /// used. An ID token of somebody else ends the credential.
    public func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        guard let refreshToken = held.refreshToken else {
            throw OIDCError(
                .signInNeeded,
                "No refresh token is held; sign in again (asking for offline_access where the issuer wants that).",
                remedy: .signInAgain
            )
        }
        var metadata = try await metadata(held: held, in: context.base)
        // An address that cannot be used is found before the token counts as sent.
        _ = try metadata.url(\.token, named: "token_endpoint")
        try await context.willSendOneTime(refreshToken.value)
        let answer: TokenAnswer
        do {
            answer = try await refresh(refreshToken.value, held, request, at: metadata, in: context.base)
        } catch let error as OIDCError where error.isAddressGone {
            // A definite answer that spent nothing: the open intent stands for the one sending that counts. A second
            // one would make a later invalid_grant look like a lost answer.
            metadata = try await rediscovered(metadata, held, after: error, in: context.base)
            answer = try await refresh(refreshToken.value, held, request, at: metadata, in: context.base)
        }
        return .renewed(try await merge(answer, into: held, request, at: metadata, in: context))
    }

    /// Asks anew for addresses that may be old; throws `gone` unless another token endpoint is named.
    ///
    /// A failed look-up says nothing of the token, so it never takes the place of the definite answer.
    private func rediscovered(
        _ old: ProviderMetadata,
        _ held: StoredCredential,
        after gone: OIDCError,
        in context: ProviderContext
    ) async throws -> ProviderMetadata {
        known.forget()
        let newer: ProviderMetadata
        do {
            newer = try await metadata(held: held, fresh: true, in: context)
            _ = try newer.url(\.token, named: "token_endpoint")
        } catch let error as CancellationError {
            throw error
        } catch {
            Trace.note("The token endpoint is not there, and no other address can be had now.")
            throw gone
        }
        guard newer.endpoints.token != old.endpoints.token else { throw gone }
        return newer
    }

    private func refresh(
        _ token: Secret,
        _ held: StoredCredential,
        _ request: TokenRequest,
        at metadata: ProviderMetadata,
        in context: ProviderContext
    ) async throws -> TokenAnswer {
        var form = [FormParameter("grant_type", "refresh_token"), FormParameter("refresh_token", secret: token)]
        // RFC 6749 §6: left out it means what was granted; only a narrower one is named.
        if !request.scope.isEmpty { form.append(FormParameter("scope", "\(request.scope)")) }
        if let audience = request.audience ?? (configuration.sendsAudienceAtRefresh ? configuration.audience : nil) {
            form.append(FormParameter("audience", audience))
        }
        let resources = configuration.sendsResourcesAtRefresh ? configuration.resources : []
        form += (request.resources.isEmpty ? resources : request.resources).map { FormParameter("resource", $0) }
        return try await tokenEndpoint.exchange(
            .refresh,
            form,
            at: metadata,
            requestedScope: request.scope.isEmpty ? held.grantedScope : request.scope,
            within: limit(in: context),
            time: context.time
        )
    }

    private func merge(
        _ answer: TokenAnswer,
        into held: StoredCredential,
        _ request: TokenRequest,
        at metadata: ProviderMetadata,
        in context: RenewalContext
    ) async throws -> StoredCredential {
        var credential = held
        // RFC 6749 §6: a new refresh token replaces the old one; none means that the old one stays.
        credential.refreshToken = answer.refresh ?? held.refreshToken
        credential.clockOffset = answer.clockOffset ?? held.clockOffset
        if let stored = metadata.stored(for: configuration.issuer) {
            credential.attributes[ProviderMetadata.attribute] = stored
        }
        let tokens: TokenSet
        switch answer.tokens {
        case .success(let usable): tokens = usable
        case .failure(let error):
            // The old refresh token is spent by now: the new one is kept whatever is wrong with the rest.
            if answer.refresh != nil { try await context.commit(credential) }
            throw error
        }
        if configuration.isOpenID, let idToken = tokens.idToken {
            try await context.commit(credential)
            let claims = try await verifyRefreshed(tokens, idToken, answer, credential, at: metadata, in: context)
            credential.idToken = claims.held(idToken)
            credential.account = held.account ?? claims.account
        }
        credential.accessTokens[request.key] = tokens.access
        if request.scope.isEmpty, let scope = answer.scope { credential.grantedScope = scope }
        credential.renewedAt = answer.receivedAt
        credential.problem = nil
        return credential
    }

    private func verifyRefreshed(
        _ tokens: TokenSet,
        _ idToken: Secret,
        _ answer: TokenAnswer,
        _ credential: StoredCredential,
        at metadata: ProviderMetadata,
        in context: RenewalContext
    ) async throws -> IDTokenClaims {
        do {
            return try await verify(
                idToken,
                beside: tokens.access,
                of: answer,
                at: metadata,
                .refresh(of: credential),
                in: context.base
            )
        } catch let error as OIDCError where error.reason == .subjectChanged {
            var ended = credential
            ended.state = .needsSignIn
            ended.problem = Problem(code: error.code, message: error.detail, at: context.base.time.now.wall)
            try await context.commit(ended)
            throw error
        }
    }
}
