import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The introspection endpoint (RFC 7662), for confidential clients alone (§2.1).
    func introspect(_ request: ServerRequest) -> ServerResponse {
        answering { () throws(OAuthProblem) in
            let parameters = try Parameters(request.form())
            guard try authenticate(request, parameters).secret != nil else {
                throw .invalidClient("Only a confidential client may ask about tokens.")
            }
            let token = try parameters.required("token")
            let now = options.time.now
            let description = locked { describe(token, in: $0, at: now) }
            return Self.uncached(description ?? ["active": false])
        }
    }

    private func describe(_ token: String, in state: borrowing IssuerState, at now: Moment) -> JSONObject? {
        if let record = state.liveAccessToken(token, at: now) {
            return JSONObject.make([
                ("active", .bool(true)),
                ("token_type", .string("Bearer")),
                ("client_id", .string(record.clientID)),
                ("username", .string(record.user.name)),
                ("sub", .string(record.user.subject)),
                ("scope", .string(record.scope.description)),
                ("iss", .string(url)),
                ("aud", .audience(record.audience)),
                ("iat", .integer(record.issuedAt.seconds)),
                ("exp", .integer(record.issuedAt.seconds + record.lifetime.components.seconds)),
                ("jti", .string(record.id)),
            ])
        }
        guard let id = state.refreshTokens[token], let family = state.families[id], !family.hasEnded,
            family.current == token, now.since(family.currentIssuedAt) < options.refreshTokenLifetime
        else { return nil }
        return JSONObject.make([
            ("active", .bool(true)),
            ("client_id", .string(family.clientID)),
            ("username", .string(family.signedIn.user.name)),
            ("sub", .string(family.signedIn.user.subject)),
            ("scope", .string(family.scope.description)),
            ("iss", .string(url)),
        ])
    }

    /// The revocation endpoint (RFC 7009); the hint is not needed.
    func revoke(_ request: ServerRequest) -> ServerResponse {
        answering { () throws(OAuthProblem) in
            let parameters = try Parameters(request.form())
            let client = try authenticate(request, parameters)
            let token = try parameters.required("token")
            try locked { (state) throws(OAuthProblem) in try state.revoke(token, by: client) }
            return ServerResponse(status: 200, fields: [HTTPField("Cache-Control", "no-store")])
        }
    }
}
