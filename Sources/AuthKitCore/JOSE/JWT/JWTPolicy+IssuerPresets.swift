// The presets of tokens that issuers make. Each refuses the tokens of every other (RFC 8725 §3.12): by `typ` where
// there is one, else by claims that one kind must have and the other cannot. What a preset asks for may be changed
// afterwards, since its parts are variables.

extension JWTPolicy {
    /// Asks for an ID token (OpenID Connect Core §2, §3.1.3.7).
    ///
    /// A nil `nonce` asks for none: right only where none was sent, and at a refresh. `maxAge` is the `max_age` that was
    /// asked for; `auth_time` is then required and compared. Beside the client only trusted audiences may
    /// be in `aud`, with an `azp` or without.
    /// Add `.accessTokenHash`, `.accessTokenHashIfPresent` or `.codeHash` to the rules for what came beside it.
    public static func idToken(
        issuer: String,
        clientID: String,
        nonce: String?,
        algorithms: [JWSAlgorithm] = [.rs256],
        maxAge: Duration? = nil,
        trustedAudiences: Set<String> = [],
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        var rules: [JWTRule] = [
            JWTRule(.subject), .authorizedParty(clientID, trustedAudiences: trustedAudiences),
            // A logout token may have no typ of its own; its events tell it apart (Back-Channel Logout §2.4).
            .absent(["events"]),
        ]
        if let maxAge { rules.append(.authenticated(within: maxAge)) }
        return JWTPolicy(
            algorithms: algorithms,
            issuer: issuer,
            audience: clientID,
            nonce: nonce,
            requiredClaims: ["iss", "sub", "aud", "exp", "iat"],
            type: .absentOrOneOf(["JWT"]),
            rules: rules,
            clockSkew: clockSkew
        )
    }

    /// Asks for an access token in the profile of RFC 9068 (§2.1, §2.2, §4).
    public static func accessToken(
        issuer: String,
        audience: String,
        algorithms: [JWSAlgorithm] = [.rs256],
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        JWTPolicy(
            algorithms: algorithms,
            issuer: issuer,
            audience: audience,
            requiredClaims: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"],
            type: .oneOf(["at+jwt"]),
            rules: [.text(["sub", "client_id", "jti"])],
            clockSkew: clockSkew
        )
    }

    /// Asks for a logout token (OpenID Connect Back-Channel Logout §2.4, §2.6).
    ///
    /// That its `jti` is new, and that the session is known, is for the caller to find out: nothing is remembered here.
    public static func logoutToken(
        issuer: String,
        clientID: String,
        algorithms: [JWSAlgorithm] = [.rs256],
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        JWTPolicy(
            algorithms: algorithms,
            issuer: issuer,
            audience: clientID,
            requiredClaims: ["iss", "aud", "iat", "exp", "jti", "events"],
            // §4.1: the type is recommended; most issuers have none.
            type: .absentOrOneOf(["logout+jwt", "JWT"]),
            rules: [
                .text(["jti", "sid"]), JWTRule(.subject), .present(anyOf: ["sub", "sid"]), JWTRule(.logoutEvent),
                // §2.4: so that it cannot pass for an ID token.
                .absent(["nonce"]),
            ],
            clockSkew: clockSkew
        )
    }

    /// Asks for an authorization response as a JWT (JARM §2.1, §2.4).
    ///
    /// `exp` lies at most `maxLifetime` ahead, for which JARM recommends no more than ten minutes. Whether its `state`
    /// is the one that was sent is for the caller to compare, as with any other response.
    public static func authorizationResponse(
        issuer: String,
        clientID: String,
        algorithms: [JWSAlgorithm] = [.rs256],
        maxLifetime: Duration = .seconds(600),
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        JWTPolicy(
            algorithms: algorithms,
            issuer: issuer,
            audience: clientID,
            requiredClaims: ["iss", "aud", "exp"],
            type: .absentOrOneOf(["JWT"]),
            rules: [
                .present(anyOf: ["code", "error", "access_token", "id_token"]),
                .text(["code", "error", "access_token", "id_token", "state"]), .ends(within: maxLifetime),
                .absent(["events"]),
            ],
            clockSkew: clockSkew
        )
    }

    /// Asks for a token with which a business signs its user in to a Kindly chat.
    ///
    /// Such tokens have no audience: the issuer, its key and the chat say what they are for.
    public static func chatToken(
        issuer: String,
        chatID: String,
        algorithms: [JWSAlgorithm] = [.rs256],
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        JWTPolicy(
            algorithms: algorithms,
            issuer: .exactly(issuer),
            // These tokens have no aud; the chat's id, checked below, says what they are for.
            audience: .insecureAny,
            requiredClaims: ["iss", "sub", "iat", "exp"],
            type: .absentOrOneOf(["JWT"]),
            rules: [.text(["sub"]), JWTRule(.chat(chatID)), .absent(["events"])],
            clockSkew: clockSkew
        )
    }
}
