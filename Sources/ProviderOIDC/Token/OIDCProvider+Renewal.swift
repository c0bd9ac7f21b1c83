public import AuthKitCore

extension OIDCProvider {
    /// Exchanges the refresh token and merges what came, field by field, into what is held.
    ///
    /// A rotated refresh token is committed before the ID token of the same answer is checked, so that a failed check
    /// loses nothing; the new access token is then not used. An ID token of somebody else ends the credential.
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
        let answer: TokenAnswer
        do {
            answer = try await refresh(refreshToken.value, held, request, at: metadata, in: context)
        } catch let error as OIDCError where error.isAddressGone {
            // The addresses kept may be old: ask anew, and go on only where the answer is another one.
            known.forget()
            let newer = try await self.metadata(held: held, fresh: true, in: context.base)
            guard newer.endpoints.token != metadata.endpoints.token else { throw error }
            metadata = newer
            answer = try await refresh(refreshToken.value, held, request, at: metadata, in: context)
        }
        return .renewed(try await merge(answer, into: held, request, at: metadata, in: context))
    }

    private func refresh(
        _ token: Secret,
        _ held: StoredCredential,
        _ request: TokenRequest,
        at metadata: ProviderMetadata,
        in context: RenewalContext
    ) async throws -> TokenAnswer {
        var form = [FormParameter("grant_type", "refresh_token"), FormParameter("refresh_token", secret: token)]
        // RFC 6749 §6: left out it means what was granted; only a narrower one is named.
        if !request.scope.isEmpty { form.append(FormParameter("scope", "\(request.scope)")) }
        if let audience = request.audience ?? (configuration.sendsAudienceAtRefresh ? configuration.audience : nil) {
            form.append(FormParameter("audience", audience))
        }
        let resources = configuration.sendsResourcesAtRefresh ? configuration.resources : []
        form += (request.resources.isEmpty ? resources : request.resources).map { FormParameter("resource", $0) }
        // An address that cannot be used is found before the token counts as sent.
        _ = try metadata.url(\.token, named: "token_endpoint")
        try await context.willSendOneTime(token)
        return try await tokenEndpoint.exchange(
            .refresh,
            form,
            at: metadata,
            requestedScope: request.scope.isEmpty ? held.grantedScope : request.scope,
            within: limit(in: context.base)
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
        if let stored = metadata.stored(for: configuration.issuer) {
            credential.attributes[ProviderMetadata.attribute] = stored
        }
        if configuration.isOpenID, let idToken = answer.idToken {
            try await context.commit(credential)
            let claims = try await verifyRefreshed(idToken, answer, credential, at: metadata, in: context)
            credential.idToken = claims.held(idToken)
            credential.account = held.account ?? claims.account
        }
        credential.accessTokens[request.key] = answer.access
        if request.scope.isEmpty, let scope = answer.scope { credential.grantedScope = scope }
        credential.renewedAt = answer.receivedAt
        credential.problem = nil
        return credential
    }

    private func verifyRefreshed(
        _ idToken: Secret,
        _ answer: TokenAnswer,
        _ credential: StoredCredential,
        at metadata: ProviderMetadata,
        in context: RenewalContext
    ) async throws -> IDTokenClaims {
        do {
            return try await verify(idToken, for: answer, at: metadata, .refresh(of: credential), in: context.base)
        } catch let error as OIDCError where error.reason == .subjectChanged {
            var ended = credential
            ended.state = .needsSignIn
            ended.problem = Problem(code: error.code, message: error.detail, at: context.base.time.now.wall)
            try await context.commit(ended)
            throw error
        }
    }
}
