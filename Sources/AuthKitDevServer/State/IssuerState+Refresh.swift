import AuthKitCore

extension IssuerState {
    /// What a refresh token is answered with, before anything is signed.
    ///
    /// The outcome is one of those of `RefreshRecord`; it is told apart from the refusal so that both are kept.
    mutating func refresh(
        _ token: String,
        by client: DevClient,
        scope asked: Scope?,
        resources: [String],
        successor: String,
        options: DevIssuerOptions,
        now: Moment
    ) -> (outcome: String, result: Result<TokenGrant, OAuthProblem>) {
        guard let id = refreshTokens[token], var family = families[id], family.clientID == client.id else {
            return ("unknown", .failure(.invalidGrant("The refresh token is not one that was issued to this client.")))
        }
        guard !family.hasEnded else {
            return ("ended", .failure(.invalidGrant("The refresh token was revoked.")))
        }
        let age = now.since(family.currentIssuedAt)
        let isRepeat = token != family.current
        if isRepeat, token != family.previous || options.rotationGrace <= .zero || age >= options.rotationGrace {
            // RFC 9700 §4.14.2: nobody can tell the thief from the client, so neither keeps anything.
            statistics.reuseDetections += 1
            end(id)
            return (
                "reuse", .failure(.invalidGrant("The refresh token was used before; all its successors have ended."))
            )
        }
        guard age < options.refreshTokenLifetime else {
            return ("expired", .failure(.invalidGrant("The refresh token has expired.")))
        }
        // RFC 6749 §6: no more than was granted.
        guard family.scope.covers(asked ?? family.scope) else {
            return ("refused", .failure(.invalidScope("The scope is wider than what was granted.")))
        }
        // RFC 8707 §2.2: the same for resources.
        guard Set(family.resources).isSuperset(of: resources) else {
            return ("refused", .failure(OAuthProblem("invalid_target", "The resource was not granted.")))
        }
        var grant = TokenGrant(
            family: id,
            clientID: client.id,
            signedIn: family.signedIn,
            scope: asked ?? family.scope,
            resources: resources.isEmpty ? family.resources : resources
        )
        if isRepeat {
            statistics.graceRepeats += 1
            grant.refreshToken = family.current
            return ("grace", .success(grant))
        }
        statistics.refreshesGranted += 1
        if options.rotatesRefreshTokens {
            family.previous = token
            family.current = successor
            family.currentIssuedAt = now
            families[id] = family
            refreshTokens[successor] = id
            grant.refreshToken = successor
        }
        return ("granted", .success(grant))
    }
}
