import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// Signs what was granted and answers with it (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
    func tokens(for grant: TokenGrant, client: DevClient, fault: FaultKind?) throws(OAuthProblem) -> ServerResponse {
        let now = options.time.now
        let algorithm = client.algorithm ?? options.algorithm
        guard let key = locked({ $0.keys.current(algorithm) }) else {
            throw OAuthProblem("server_error", "There is no key for \(algorithm.rawValue).", status: 500)
        }
        let record = AccessTokenRecord(
            id: try Draw.text(bytes: 16),
            family: grant.family,
            clientID: grant.clientID,
            user: grant.signedIn.user,
            scope: grant.scope,
            audience: grant.resources.isEmpty ? [url] : grant.resources,
            issuedAt: now.wall,
            lifetime: options.accessTokenLifetime,
            madeAt: now
        )
        let accessToken = try accessToken(record, signedBy: key)
        var idToken: String?
        if grant.scope.contains("openid"), fault != .noIDToken {
            let claims = idTokenClaims(grant, accessToken: accessToken, now: now, fault: fault)
            idToken = try key.token(claims, fault: fault)
        }
        let hint = IssuedIDToken(
            clientID: grant.clientID,
            subject: grant.signedIn.user.subject,
            sessionID: grant.signedIn.sessionID
        )
        locked { state in
            state.accessTokens[accessToken] = record
            if let idToken { state.idTokens[idToken] = hint }
        }
        var response = ServerResponse.json(
            JSONObject.make([
                ("access_token", .string(accessToken)),
                ("token_type", .string("Bearer")),
                ("expires_in", fault == .noExpiry ? nil : .integer(options.accessTokenLifetime.components.seconds)),
                ("scope", .string(grant.scope.description)),
                ("refresh_token", grant.refreshToken.map { .string($0) }),
                ("id_token", idToken.map { .string($0) }),
            ]).bytes
        )
        response.fields.append(HTTPField("Cache-Control", "no-store"))
        return response
    }

    private func accessToken(_ record: AccessTokenRecord, signedBy key: IssuerKey) throws(OAuthProblem) -> String {
        guard options.accessTokenForm == .jwt else { return try Draw.text("at_") }
        // RFC 9068 §2.2.
        let claims = JSONObject.make([
            ("iss", .string(url)),
            ("sub", .string(record.user.subject)),
            ("aud", .audience(record.audience)),
            ("client_id", .string(record.clientID)),
            ("iat", .integer(record.issuedAt.seconds)),
            ("exp", .integer(record.issuedAt.seconds + record.lifetime.components.seconds)),
            ("jti", .string(record.id)),
            ("scope", .string(record.scope.description)),
        ])
        return try key.sign(claims, type: "at+jwt")
    }

    /// OpenID Connect Core §2 and §3.1.3.6.
    private func idTokenClaims(_ grant: TokenGrant, accessToken: String, now: Moment, fault: FaultKind?) -> JSONObject {
        let user = grant.signedIn.user
        let issuedAt = fault == .expired ? now.wall.seconds - 7200 : now.wall.seconds
        let lifetime = fault == .expired ? 3600 : options.idTokenLifetime.components.seconds
        let nonce = fault == .wrongNonce ? (grant.nonce ?? "") + "x" : fault == .missingNonce ? nil : grant.nonce
        let subject = fault == .wrongSubject ? user.subject + "-other" : user.subject
        let hashed = fault == .wrongAccessTokenHash ? accessToken + "x" : accessToken
        return JSONObject.make([
            ("iss", .string(fault == .wrongIssuer ? url + "/other" : url)),
            ("sub", fault == .missingSubject ? nil : .string(subject)),
            ("aud", .string(fault == .wrongAudience ? grant.clientID + "-other" : grant.clientID)),
            ("iat", .integer(issuedAt)),
            ("exp", .integer(issuedAt + lifetime)),
            ("auth_time", .integer(grant.signedIn.authenticatedAt.seconds)),
            ("nonce", nonce.map { .string($0) }),
            ("at_hash", .string(Base64URL.encode(Array(SHA256.digest(Array(hashed.utf8)).prefix(16))))),
            ("sid", .string(grant.signedIn.sessionID)),
            ("preferred_username", .string(user.name)),
            ("name", .string(user.fullName)),
            ("email", .string(user.email)),
            ("email_verified", .bool(true)),
        ])
    }
}
