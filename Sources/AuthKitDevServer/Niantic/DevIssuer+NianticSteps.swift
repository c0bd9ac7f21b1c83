import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// Step 1: the session token's successor in a cookie, a session access token in the body.
    func rotateSession(_ token: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let (niantic, now) = (options.niantic, options.time.now)
        let user = try holder(of: token)
        let claimed = fault == .wrongSubject ? otherUser(than: user) : user
        let told = toldTime(now, fault: fault)
        let successor = try mint("session", claimed, niantic.sessionTokenLifetime, at: told, fault: fault)
        let access = try mint("session_access", user, niantic.sessionAccessTokenLifetime, at: told)
        let keeps = !niantic.rotatesSessionTokens || fault == .unrotated || fault == .sameToken
        let ends = Self.endsSession(fault)
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
        answer.add(lifetime: niantic.sessionAccessTokenLifetime, from: told)
        if !keeps || ends || fault == .sameToken {
            answer.add(session: keeps ? token : successor, until: told + niantic.sessionTokenLifetime)
        }
        return answer.response
    }

    /// Step 2: an NSDK refresh token, a new one each time.
    func makeRefreshToken(with token: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let (niantic, now) = (options.niantic, options.time.now)
        let user = try holder(of: token)
        let told = toldTime(now, fault: fault)
        let refresh = try mint("build_refresh", user, niantic.refreshTokenLifetime, at: told, fault: fault)
        let rotates = fault == .rotatesSession
        let successor = rotates ? try mint("session", user, niantic.sessionTokenLifetime, at: told) : nil
        let ends = Self.endsSession(fault)
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
            if ends { state.niantic.end(record.family) }
        }
        var answer = IdentityAnswer(fault: fault)
        answer.add(token: refresh, as: "buildRefreshToken")
        answer.add(lifetime: niantic.refreshTokenLifetime, from: told)
        if successor != nil || ends {
            answer.add(session: successor ?? "", until: told + niantic.sessionTokenLifetime)
        }
        return answer.response
    }

    /// Step 3: an NSDK access token, and the refresh token's successor.
    func makeAccessToken(with token: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let (niantic, now) = (options.niantic, options.time.now)
        let user = try holder(of: token)
        let told = toldTime(now, fault: fault)
        let access = try mint("build_access", user, niantic.accessTokenLifetime, at: told, fault: fault)
        let successor = try mint("build_refresh", user, niantic.refreshTokenLifetime, at: told)
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
        answer.add(lifetime: niantic.accessTokenLifetime, from: told)
        // Without its access token the answer still brings the successor: that is what a client must not lose.
        var response = answer.response
        guard fault != .malformed, var members = try? JSONValue(parsing: response.body).object else { return response }
        if fault != .noRefreshToken, !keeps || fault == .sameToken {
            members["buildRefreshToken"] = .string(keeps ? token : successor)
        }
        response.body = members.bytes
        return response
    }

    /// A service account's key for an access token.
    func exchangeKey(_ key: String, fault: FaultKind?) throws(IdentityProblem) -> ServerResponse {
        let account = options.niantic.serviceAccounts.first { $0.key == Secret(key) }
        guard let account else { throw IdentityProblem("unknown", "invalid api key") }
        let (lifetime, told) = (options.niantic.accessTokenLifetime, toldTime(options.time.now, fault: fault))
        let access = try mint("build_access", account.user, lifetime, at: told, fault: fault)
        locked { $0.niantic.statistics.keysExchanged += 1 }
        var answer = IdentityAnswer(fault: fault)
        answer.add(token: access, as: "accessToken")
        answer.add(lifetime: lifetime, from: told)
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
            let (lifetime, told) = (options.niantic.accessTokenLifetime, toldTime(options.time.now, fault: fault))
            let access = try mint("build_access", user, lifetime, at: told, fault: fault)
            locked { $0.niantic.statistics.backendTokensMade += 1 }
            var answer = IdentityAnswer(fault: fault)
            answer.add(token: access, as: "accessToken")
            answer.add(lifetime: lifetime, until: told + lifetime)
            return answer.response
        }
    }

    /// Whether a fault of the cookie takes the session back.
    private static func endsSession(_ fault: FaultKind?) -> Bool {
        fault == .emptyCookie || fault == .deletedCookie || fault == .endedCookie
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
