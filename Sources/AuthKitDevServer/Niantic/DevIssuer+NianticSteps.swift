import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// Step 1: the session token's successor in a cookie, a session access token in the body.
    func rotateSession(_ token: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let (niantic, now) = (options.niantic, options.time.now)
        let user = try holder(of: token)
        let claimed = fault == .wrongSubject ? otherUser(than: user) : user
        let successor = try mint("session", claimed, niantic.sessionTokenLifetime)
        let access = try mint("session_access", user, niantic.sessionAccessTokenLifetime)
        let keeps = !niantic.rotatesSessionTokens || fault == .unrotated || fault == .sameToken
        let ends = fault == .emptyCookie || fault == .deletedCookie || fault == .endedCookie
        try locked { (state) throws(IdentityProblem) in
            let record = try state.niantic.use(token, as: .session, now: now)
            if !keeps {
                state.niantic.replace(token, by: successor, lifetime: niantic.sessionTokenLifetime, now: now)
            }
            state.niantic.tokens[access] = NianticToken(
                kind: .sessionAccess,
                family: record.family,
                issuedAt: now,
                lifetime: niantic.sessionAccessTokenLifetime
            )
            state.niantic.statistics.sessionsRotated += 1
            if ends { state.niantic.end(record.family) }
        }
        var answer = IdentityAnswer(fault: fault)
        answer.add(token: access, as: "token")
        answer.add(end: now.wall + niantic.sessionAccessTokenLifetime)
        if !keeps || fault == .sameToken {
            answer.add(session: keeps ? token : successor, until: now.wall + niantic.sessionTokenLifetime)
        }
        return answer.response
    }

    /// Step 2: an NSDK refresh token, a new one each time.
    func makeRefreshToken(with token: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let (niantic, now) = (options.niantic, options.time.now)
        let user = try holder(of: token)
        let refresh = try mint("build_refresh", user, niantic.refreshTokenLifetime)
        let successor = fault == .rotatesSession ? try mint("session", user, niantic.sessionTokenLifetime) : nil
        try locked { (state) throws(IdentityProblem) in
            let record = try state.niantic.use(token, as: .session, now: now)
            if let successor {
                state.niantic.replace(token, by: successor, lifetime: niantic.sessionTokenLifetime, now: now)
            }
            state.niantic.tokens[refresh] = NianticToken(
                kind: .refresh,
                family: record.family,
                issuedAt: now,
                lifetime: niantic.refreshTokenLifetime
            )
            state.niantic.statistics.refreshTokensMade += 1
            if fault == .deletedCookie { state.niantic.end(record.family) }
        }
        var answer = IdentityAnswer(fault: fault)
        answer.add(token: refresh, as: "buildRefreshToken")
        answer.add(end: now.wall + niantic.refreshTokenLifetime)
        if successor != nil || fault == .deletedCookie {
            answer.add(session: successor ?? "", until: now.wall + niantic.sessionTokenLifetime)
        }
        return answer.response
    }

    /// Step 3: an NSDK access token, and the refresh token's successor.
    func makeAccessToken(with token: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let (niantic, now) = (options.niantic, options.time.now)
        let user = try holder(of: token)
        let access = try mint("build_access", user, niantic.accessTokenLifetime)
        let successor = try mint("build_refresh", user, niantic.refreshTokenLifetime)
        let keeps = !niantic.rotatesRefreshTokens || fault == .unrotated || fault == .sameToken
        try locked { (state) throws(IdentityProblem) in
            _ = try state.niantic.use(token, as: .refresh, now: now)
            if !keeps {
                state.niantic.replace(token, by: successor, lifetime: niantic.refreshTokenLifetime, now: now)
            }
            state.niantic.statistics.accessTokensMade += 1
        }
        var answer = IdentityAnswer(fault: fault)
        answer.add(token: access, as: "buildAccessToken")
        answer.add(end: now.wall + niantic.accessTokenLifetime)
        // Without its access token the answer still brings the successor: that is what a client must not lose.
        var response = answer.response
        guard fault != .malformed, var members = try? JSONValue(parsing: response.body).object else { return response }
        if !keeps || fault == .sameToken { members["buildRefreshToken"] = .string(keeps ? token : successor) }
        response.body = members.bytes
        return response
    }

    /// A service account's key for an access token.
    func exchangeKey(_ key: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let account = options.niantic.serviceAccounts.first { $0.key == Secret(key) }
        guard let account else { throw IdentityProblem("unknown", "invalid api key") }
        let now = options.time.now
        let access = try mint("build_access", account.user, options.niantic.accessTokenLifetime)
        locked { $0.niantic.statistics.keysExchanged += 1 }
        var answer = IdentityAnswer(fault: fault)
        answer.add(token: access, as: "accessToken")
        answer.add(end: now.wall + options.niantic.accessTokenLifetime)
        return answer.response
    }

    /// The app's own back end, in the shape of the vendor's sample: a bearer token for an access token.
    func backend(_ request: ServerRequest) -> IssuerAnswer {
        let fields = request.fields.all(named: "Authorization")
        let scheme = "Bearer "
        let sent = fields.count == 1 && fields[0].hasPrefix(scheme) ? String(fields[0].dropFirst(scheme.count)) : nil
        return exchange("backend", sent, at: .nianticBackend) { (fault) throws(IdentityProblem) in
            guard let sent else { throw IdentityProblem("refused", "no bearer token was sent") }
            let user: DevUser
            if Secret(sent) == options.niantic.backendToken {
                user = options.users[0]
            } else {
                user = try holder(of: sent)
                try locked { (state) throws(IdentityProblem) in
                    _ = try state.niantic.use(sent, as: .sessionAccess, now: options.time.now)
                }
            }
            let access = try mint("build_access", user, options.niantic.accessTokenLifetime)
            locked { $0.niantic.statistics.backendTokensMade += 1 }
            var answer = IdentityAnswer(fault: fault)
            answer.add(token: access, as: "accessToken")
            answer.add(lifetime: options.niantic.accessTokenLifetime)
            return answer.response
        }
    }

    /// A signed token of the identity service.
    func mint(
        _ use: String,
        _ user: DevUser,
        _ lifetime: Duration,
        age: Duration = .zero
    ) throws(IdentityProblem) -> String {
        let start = options.time.now.wall - age
        do throws(OAuthProblem) {
            guard let key = locked({ $0.keys.current(options.algorithm) }) else {
                throw OAuthProblem("server_error", "There is no key for \(options.algorithm.rawValue).", status: 500)
            }
            let claims = JSONObject.make([
                ("iss", .string(url(.identity))),
                ("sub", .string(user.subject)),
                ("user_id", .string(user.subject)),
                ("name", user.fullName.isEmpty ? nil : .string(user.fullName)),
                ("email", user.email.isEmpty ? nil : .string(user.email)),
                ("aud", .string("nsdk")),
                ("iat", .integer(start.seconds)),
                ("exp", .integer(start.seconds + lifetime.components.seconds)),
                ("jti", .string(try Draw.text(bytes: 16))),
                ("token_use", .string(use)),
            ])
            return try key.sign(claims, type: "JWT")
        } catch {
            throw IdentityProblem(error)
        }
    }

    /// Whose token it is; whether it is worth anything is looked at when it is used.
    private func holder(of token: String) throws(IdentityProblem) -> DevUser {
        guard let user = locked({ $0.niantic.user(of: token) }) else {
            throw IdentityProblem("unknown", "invalid token")
        }
        return user
    }

    /// Somebody else, for faults.
    func otherUser(than user: DevUser) -> DevUser {
        options.users.first { $0 != user } ?? DevUser(name: user.name + "-other")
    }
}
