import AuthKitCore

extension IssuerState {
    /// Spends a code; whatever is wrong with the attempt, the code is gone after it.
    mutating func redeem(
        _ code: String,
        by client: DevClient,
        redirectURI: String?,
        verifier: String?,
        resources: [String],
        refreshToken: String,
        family: String,
        options: DevIssuerOptions,
        now: Moment
    ) throws(OAuthProblem) -> TokenGrant {
        guard var entry = codes[code], entry.request.clientID == client.id else {
            // Another client's attempt says nothing and spoils nothing.
            throw .invalidGrant("The code is not one that was issued to this client.")
        }
        if entry.isSpent {
            // RFC 6749 §4.1.2: a code that comes twice ends the tokens it brought.
            statistics.codeReplays += 1
            if let family = entry.family { end(family) }
            throw .invalidGrant("The code was used before; the tokens it brought have ended.")
        }
        entry.isSpent = true
        codes[code] = entry
        guard now.since(entry.issuedAt) < options.codeLifetime else { throw .invalidGrant("The code has expired.") }
        // RFC 6749 §4.1.3: the same address as in the authorization request.
        guard let redirectURI, redirectURI == entry.request.redirectURI else {
            throw .invalidGrant("The redirect_uri is not the one of the authorization request.")
        }
        try Self.check(verifier, against: entry.request.challenge)
        // RFC 8707 §2.2: no more than was asked for at the authorization endpoint.
        guard Set(entry.request.resources).isSuperset(of: resources) else {
            throw OAuthProblem("invalid_target", "The resource was not part of the authorization request.")
        }
        entry.family = family
        codes[code] = entry
        statistics.codesRedeemed += 1
        let request = entry.request
        let hasRefreshToken = !options.requiresOfflineAccess || request.scope.contains("offline_access")
        families[family] = TokenFamily(
            id: family,
            clientID: client.id,
            signedIn: entry.signedIn,
            scope: request.scope,
            resources: request.resources,
            current: hasRefreshToken ? refreshToken : nil,
            currentIssuedAt: now
        )
        if hasRefreshToken { refreshTokens[refreshToken] = family }
        return TokenGrant(
            family: family,
            clientID: client.id,
            signedIn: entry.signedIn,
            scope: request.scope,
            nonce: request.nonce,
            resources: resources.isEmpty ? request.resources : resources,
            refreshToken: hasRefreshToken ? refreshToken : nil
        )
    }

    /// RFC 7636 §4.1 and §4.6: 43 to 128 unreserved characters whose SHA-256 is the challenge.
    private static func check(_ verifier: String?, against challenge: String) throws(OAuthProblem) {
        guard let verifier else { throw .invalidGrant("The code_verifier is missing.") }
        let isVerifier =
            (43...128).contains(verifier.utf8.count)
            && verifier.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0)) }
        guard isVerifier, Base64URL.encode(SHA256.digest(Array(verifier.utf8))) == challenge else {
            throw .invalidGrant("The code_verifier does not belong to the code_challenge.")
        }
    }
}
