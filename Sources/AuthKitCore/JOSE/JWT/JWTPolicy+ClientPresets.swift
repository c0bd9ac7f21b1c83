// The presets of tokens that clients make, as the receiving server checks them.

extension JWTPolicy {
    /// Asks for a client's assertion of who it is (RFC 7523 §3; draft-ietf-oauth-rfc7523bis).
    ///
    /// The audience is the issuer identifier of the authorization server, and the only one that may be in `aud`. `exp`
    /// lies at most `maxLifetime` ahead. That its `jti` is new is for the caller to find out: nothing is remembered here.
    public static func clientAssertion(
        clientID: String,
        audience: String,
        algorithms: [JWSAlgorithm] = [.rs256],
        maxLifetime: Duration = .seconds(3600),
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        JWTPolicy(
            algorithms: algorithms,
            issuer: clientID,
            audience: audience,
            requiredClaims: ["iss", "sub", "aud", "exp", "jti"],
            type: .absentOrOneOf(["client-authentication+jwt", "JWT"]),
            rules: [
                .claim("sub", is: clientID), .text(["jti"]), .soleAudience, .ends(within: maxLifetime),
                .absent(["events"]),
            ],
            clockSkew: clockSkew
        )
    }

    /// Asks for a request object (RFC 9101 §4, §6, §10.8), typed.
    ///
    /// The audience is the issuer identifier of the authorization server. From `nbf` to `exp` it is at most
    /// `maxLifetime`, so that neither lies further from now (FAPI 2.0 Message Signing §5.3.1). RFC 9101 alone asks for
    /// neither claim: that is what nil is for. Whether it was used before is for the caller to find out: nothing is
    /// remembered here.
    public static func requestObject(
        clientID: String,
        audience: String,
        algorithms: [JWSAlgorithm] = [.rs256],
        maxLifetime: Duration? = .seconds(3600),
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        JWTPolicy(
            algorithms: algorithms,
            issuer: clientID,
            audience: audience,
            requiredClaims: ["iss", "aud", "client_id"] + (maxLifetime == nil ? [] : ["exp", "nbf"]),
            type: .oneOf(["oauth-authz-req+jwt"]),
            rules: [
                .claim("client_id", is: clientID),
                // §4: neither may be in a request object.
                .absent(["request", "request_uri"]),
                // §10.8: so that it cannot pass for a client assertion.
                JWTRule(.claimIsNot("sub", clientID)),
            ] + (maxLifetime.map { [.lasts(atMost: $0)] } ?? []),
            clockSkew: clockSkew
        )
    }

    /// Asks for a DPoP proof under a key that is known already (RFC 9449 §4.3 without 6, 7 and the binding of 12).
    ///
    /// For proofs that bring their key, which is all of them on the wire, use `DPoPProofVerifier`. The access token is
    /// what `ath` must be of, nil at a token endpoint; the nonce is nil where none was given out. That its `jti` is new is
    /// for the caller to find out: nothing is remembered here.
    public static func dpopProof(
        method: String,
        url: WebURL,
        accessToken: Secret?,
        nonce: String?,
        algorithms: [JWSAlgorithm] = [.es256],
        maxAge: Duration = .seconds(60),
        clockSkew: Duration = .seconds(60)
    ) -> JWTPolicy {
        var rules: [JWTRule] = [
            .text(["jti"]), .claim("htm", is: method), JWTRule(.address(DPoPAddress(url))), .issued(within: maxAge),
        ]
        if let accessToken {
            let digest = Base64URL.encode(SHA256.digest(Array(accessToken.reveal().utf8)))
            rules.append(JWTRule(.accessTokenDigest(digest)))
        }
        return JWTPolicy(
            algorithms: algorithms,
            // §4.2: a proof names nobody; its key, address and time say what it is for.
            issuer: .insecureAny,
            audience: .insecureAny,
            nonce: nonce,
            requiredClaims: ["jti", "htm", "htu", "iat"],
            type: .oneOf(["dpop+jwt"]),
            rules: rules,
            clockSkew: clockSkew
        )
    }
}
