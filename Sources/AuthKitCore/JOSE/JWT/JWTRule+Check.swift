extension JWTRule {
    /// Throws when a token does not satisfy the rule.
    func check(_ token: RuledToken) throws(JWTError) {
        switch kind {
        case .claim(let name, let value): try Self.checkClaim(token, name, value)
        case .claimIsNot(let name, let value): try Self.checkClaimIsNot(token, name, value)
        case .present(let names): try Self.checkPresence(token, names)
        case .absent(let names): try Self.checkAbsence(token, names)
        case .text(let names): for name in names where token.value(name) != nil { _ = try token.text(name) }
        case .subject: try Self.checkSubject(token)
        case .soleAudience: try Self.checkSoleAudience(token)
        case .authorizedParty(let client, let trusted): try Self.checkAuthorizedParty(token, client, trusted)
        case .hash(let name, let text, let mayBeAbsent):
            if mayBeAbsent, !token.has(name) { return }
            try Self.checkHash(token, name, text)
        case .accessTokenDigest(let digest): try Self.checkAccessTokenDigest(token, digest)
        case .date(let name, let age): try Self.checkAge(token, name, age)
        case .ends(let lifetime): try Self.checkLifetime(token, lifetime)
        case .lasts(let lifetime): try Self.checkSpan(token, lifetime)
        case .boundKey(let thumbprint): try Self.checkBoundKey(token, thumbprint)
        case .logoutEvent: try Self.checkLogoutEvent(token)
        case .chat(let id): try Self.checkChat(token, id)
        case .address(let address): try Self.checkAddress(token, address)
        }
    }

    private static func checkClaim(_ token: RuledToken, _ name: String, _ value: String) throws(JWTError) {
        guard try token.text(name).hasSameBytes(as: value) else {
            throw JWTError(.wrongClaim, "The token's \(name) is another than the one that it must have here.")
        }
    }

    private static func checkClaimIsNot(_ token: RuledToken, _ name: String, _ value: String) throws(JWTError) {
        guard token.value(name)?.string?.hasSameBytes(as: value) != true else {
            throw JWTError(.forbiddenClaim, "The token's \(name) is one that tokens of its kind must not have.")
        }
    }

    private static func checkPresence(_ token: RuledToken, _ names: [String]) throws(JWTError) {
        guard names.contains(where: { token.value($0) != nil }) else {
            throw JWTError(.missingClaim, "The token must have one of the claims \(names.joined(separator: ", ")).")
        }
    }

    private static func checkAbsence(_ token: RuledToken, _ names: [String]) throws(JWTError) {
        for name in names where token.has(name) {
            throw JWTError(.forbiddenClaim, "The token has the claim \(name), which tokens of its kind must not have.")
        }
    }

    /// OpenID Connect Core §2: a subject has at most 255 characters.
    private static func checkSubject(_ token: RuledToken) throws(JWTError) {
        guard token.value("sub") != nil else { return }
        guard try token.text("sub").utf8.count <= 255 else {
            throw JWTError(.malformedClaims, "The token's sub must not have more than 255 characters.")
        }
    }

    private static func checkSoleAudience(_ token: RuledToken) throws(JWTError) {
        guard let audience = token.claims.audience else { _ = try token.required("aud"); return }
        guard audience.count == 1 else {
            throw JWTError(.wrongAudience, "The token must be for one audience only.")
        }
    }

    private static func checkAuthorizedParty(
        _ token: RuledToken,
        _ client: String,
        _ trusted: Set<String>
    ) throws(JWTError) {
        // OpenID Connect Core §3.1.3.7 (5): an azp must be this client.
        if token.has("azp"), try !token.text("azp").hasSameBytes(as: client) {
            throw JWTError(.wrongClaim, "The token was issued to another client (azp).")
        }
        // §3.1.3.7 (3): further audiences only where they are trusted, whatever azp says.
        let others = (token.claims.audience ?? []).filter { one in
            !one.hasSameBytes(as: client) && !trusted.contains { $0.hasSameBytes(as: one) }
        }
        guard others.isEmpty else {
            throw JWTError(.wrongAudience, "The token is also for an audience that is not trusted; name it as such.")
        }
    }

    private static func checkHash(_ token: RuledToken, _ name: String, _ text: Secret) throws(JWTError) {
        let claim = try token.text(name)
        guard let algorithm = token.header.algorithm else {
            throw .unsupported("algorithm", token.header.algorithmName)
        }
        try TokenHash.check(claim, named: name, of: text, algorithm: algorithm, key: token.key)
    }

    /// RFC 9449 §4.2: `ath` is the base64url of the access token's SHA-256.
    private static func checkAccessTokenDigest(_ token: RuledToken, _ digest: String) throws(JWTError) {
        guard ConstantTime.equal(Array(try token.text("ath").utf8), Array(digest.utf8)) else {
            throw JWTError(.wrongHash, "The proof's ath does not belong to the access token beside it.")
        }
    }

    private static func checkAge(_ token: RuledToken, _ name: String, _ age: Duration) throws(JWTError) {
        let date = try token.date(name)
        guard token.now + token.clockSkew >= date else {
            throw JWTError(.issuedInFuture, "The token's \(name) is \(date), it is \(token.now): check the clocks.")
        }
        guard token.now - date <= age + token.clockSkew else {
            throw JWTError(.tooOld, "The token's \(name) is \(date), which is too long ago; get a new one.")
        }
    }

    private static func checkLifetime(_ token: RuledToken, _ lifetime: Duration) throws(JWTError) {
        let end = try token.date("exp")
        guard end - token.now <= lifetime + token.clockSkew else {
            throw JWTError(.tooLongLived, "The token ends at \(end), which is too far ahead; have shorter ones issued.")
        }
    }

    private static func checkSpan(_ token: RuledToken, _ lifetime: Duration) throws(JWTError) {
        guard try token.date("exp") - token.date("nbf") <= lifetime else {
            throw JWTError(.tooLongLived, "The token is good for too long from nbf to exp; have shorter ones issued.")
        }
    }

    private static func checkBoundKey(_ token: RuledToken, _ thumbprint: String) throws(JWTError) {
        guard let confirmation = try token.required("cnf").object else {
            throw JWTError(.malformedClaims, "The token's cnf must be an object.")
        }
        guard let value = confirmation["jkt"] else {
            throw JWTError(.missingClaim, "The token is not bound to a key by cnf.jkt.")
        }
        guard let actual = value.string else {
            throw JWTError(.malformedClaims, "The token's cnf.jkt must be a string.")
        }
        guard ConstantTime.equal(Array(actual.utf8), Array(thumbprint.utf8)) else {
            throw JWTError(.keyMismatch, "The token is bound to another key than that of the proof.")
        }
    }

    /// OpenID Connect Back-Channel Logout §2.4: an object whose value for the event is an object.
    private static func checkLogoutEvent(_ token: RuledToken) throws(JWTError) {
        guard let events = try token.required("events").object else {
            throw JWTError(.malformedClaims, "The token's events must be an object.")
        }
        guard let event = events["http://schemas.openid.net/event/backchannel-logout"] else {
            throw JWTError(.wrongClaim, "The token tells of another event than a logout.")
        }
        guard event.object != nil else {
            throw JWTError(.malformedClaims, "The token's logout event must be an object.")
        }
    }

    /// A chat token is good for the chat that it names only.
    private static func checkChat(_ token: RuledToken, _ id: String) throws(JWTError) {
        guard let chat = try token.required("chat").object else {
            throw JWTError(.malformedClaims, "The token's chat must be an object.")
        }
        guard let value = chat["id"] else {
            throw JWTError(.missingClaim, "The token does not name its chat in chat.id.")
        }
        guard let actual = value.string else {
            throw JWTError(.malformedClaims, "The token's chat.id must be a string.")
        }
        guard actual.hasSameBytes(as: id) else {
            throw JWTError(.wrongClaim, "The token is for another chat; get one for this chat.")
        }
    }

    /// RFC 9449 §4.3 (9).
    private static func checkAddress(_ token: RuledToken, _ address: DPoPAddress) throws(JWTError) {
        guard let actual = DPoPAddress(claim: try token.text("htu")) else {
            throw JWTError(.malformedClaims, "The proof's htu must be an http or https URL.")
        }
        guard actual == address else {
            throw JWTError(.wrongClaim, "The proof was made for another address (htu).")
        }
    }
}
