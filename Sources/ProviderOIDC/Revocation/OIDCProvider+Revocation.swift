public import AuthKitCore

extension OIDCProvider {
    /// Revokes the refresh token, then each access token (RFC 7009); five seconds a step.
    ///
    /// Empty where the issuer names no revocation endpoint, in RFC 8414's document either. An issuer that does not revoke access tokens (RFC 7009
    /// §2.2.1) is no failure: they end by themselves.
    public func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] {
        var tokens: [(subject: String, hint: String, value: Secret)] = []
        if let token = held.refreshToken { tokens.append(("refresh token", "refresh_token", token.value)) }
        let access = held.accessTokens.sorted { "\($0.key.scope)" < "\($1.key.scope)" }
        for (key, token) in access where !tokens.contains(where: { $0.value == token.value }) {
            tokens.append((key == .primary ? "access token" : "further access token", "access_token", token.value))
        }
        guard !tokens.isEmpty else { return [] }
        let metadata: ProviderMetadata
        do {
            metadata = try await self.metadata(needing: \.revocation, held: held, in: step(of: context))
        } catch {
            return [RevocationResult(subject: tokens[0].subject, failure: Self.failure(error))]
        }
        guard metadata.endpoints.revocation != nil else {
            Trace.note("The issuer has no revocation endpoint; its tokens end by themselves.")
            return []
        }
        var results: [RevocationResult] = []
        for token in tokens {
            do {
                try await revoke(token.value, hint: token.hint, at: metadata, in: context)
                results.append(RevocationResult(subject: token.subject, failure: nil))
            } catch let error as OIDCError
                where error.reason == .tokenRefused && error.issuerError?.error == "unsupported_token_type"
                && token.hint == "access_token"
            {
                Trace.note("The issuer does not revoke access tokens; this one ends by itself.")
            } catch {
                results.append(RevocationResult(subject: token.subject, failure: Self.failure(error)))
            }
        }
        return results
    }

    private func revoke(
        _ token: Secret,
        hint: String,
        at metadata: ProviderMetadata,
        in context: ProviderContext
    ) async throws {
        let url = try metadata.url(\.revocation, named: "revocation_endpoint")
        let form = [FormParameter("token", secret: token), FormParameter("token_type_hint", hint)]
        let response = try await tokenEndpoint.post(form, to: url, within: limit(in: context, atMost: Self.stepLimit))
        // RFC 7009 §2.2: 200 also for a token that was none; the body means nothing.
        if (200..<300).contains(response.status) { return }
        if response.status == 404 || response.status == 405 { known.forget() }
        let failure = tokenEndpoint.failure(
            .revocation,
            "revocation endpoint",
            sent: form,
            metadata.authenticationMethods
        )
        throw failure.error(for: response)
    }

    private static func failure(_ error: any Error) -> any ProviderFailure {
        if let failure = error as? any ProviderFailure { return failure }
        return OIDCError(
            .unavailable,
            error is CancellationError
                ? "The revocation was cancelled; revoke the app at the issuer." : "The revocation failed; try again.",
            remedy: .retry(after: nil),
            cause: error
        )
    }
}
