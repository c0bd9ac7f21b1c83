internal import AuthKitCore

/// The checks of an ID token that follow its signature, issuer, audience and times (OpenID Connect Core §3.1.3.7).
struct IDTokenCheck: Sendable {
    /// What the token must fit.
    enum Occasion: Sendable {
        /// A sign-in, with the nonce that was sent.
        case signIn(nonce: Secret?)
        /// A refresh of what is held (§12.2).
        case refresh(of: StoredCredential)
    }

    /// What the app is.
    let configuration: OIDCConfiguration
    /// Which rules hold.
    let occasion: Occasion

    /// Checks a token whose signature is verified, against the access token of the same answer.
    func claims(of token: VerifiedJWT, access: Secret, now: WallTime) throws(OIDCError) -> IDTokenClaims {
        let object = token.claims
        try checkType(token.header.type)
        let subject = try subject(object)
        try checkAudience(token)
        switch occasion {
        case .signIn(let nonce):
            try checkNonce(object, nonce)
            try checkAge(object, now)
        case .refresh(let held):
            try checkContinuity(token, held, subject)
        }
        if object.has("at_hash") {
            // §3.1.3.8: where it is there, it must be that of the access token.
            let expected = TokenHash.make(of: access, algorithm: token.algorithm, key: token.key.key.kind)
            let isSame = object.text("at_hash")?.hasSameBytes(as: expected) ?? false
            try require("at_hash", isSame, "OpenID Core §3.1.3.8", "its at_hash is not that of the access token")
        }
        let acr = object.text("acr")
        if let acr { Trace.note("The issuer reports the authentication context \(OAuthErrorBody(error: acr).error).") }
        return IDTokenClaims(
            issuer: token.issuer ?? "",
            subject: subject,
            expiresAt: token.expiresAt,
            acr: acr,
            displayName: Self.displayName(object)
        )
    }

    private func checkType(_ type: String?) throws(OIDCError) {
        // RFC 8725 §3.11, §3.12: a JWT of another kind is no ID token, whatever its claims.
        let others = ["at+jwt", "logout+jwt", "dpop+jwt", "oauth-authz-req+jwt", "token-introspection+jwt"]
        let name = type?.lowercased() ?? ""
        let isOther = others.contains(name.hasPrefix("application/") ? String(name.dropFirst(12)) : name)
        try require("typ", !isOther, "RFC 8725 §3.12", "it is a token of another kind (typ)")
    }

    private func subject(_ object: JSONObject) throws(OIDCError) -> String {
        // §2: a string of at most 255 ASCII characters, required.
        let subject = object.text("sub") ?? ""
        try require(
            "sub",
            !subject.isEmpty && subject.utf8.count <= 255,
            "OpenID Core §2",
            "it does not name its subject in 1 to 255 characters"
        )
        return subject
    }

    private func checkAudience(_ token: VerifiedJWT) throws(OIDCError) {
        let object = token.claims
        let client = configuration.clientID
        if object.has("azp") {
            // §3.1.3.7 (5): where it is there, it must be this client.
            try require(
                "azp",
                object.text("azp")?.hasSameBytes(as: client) == true,
                "OpenID Core §3.1.3.7 (5)",
                "it was issued to another client (azp)",
                advice: "check the client identifier"
            )
        }
        // §3.1.3.7 (3): further audiences only where they are trusted, whatever azp says.
        let others = token.audience.filter {
            !client.hasSameBytes(as: $0) && !configuration.trustedAudiences.contains($0)
        }
        try require(
            "further audiences",
            others.isEmpty,
            "OpenID Core §3.1.3.7 (3)",
            "it has an audience that is not trusted",
            advice: "add it to the trusted audiences if it should be"
        )
    }

    private func checkNonce(_ object: JSONObject, _ nonce: Secret?) throws(OIDCError) {
        guard let nonce else { return }
        // §3.1.3.7 (11): present and the same, before any token of the answer is used (RFC 9700 §4.5.3.2).
        let isSame =
            object.text("nonce").map { ConstantTime.equal(Array($0.utf8), Array(nonce.reveal().utf8)) } ?? false
        try require("nonce", isSame, "OpenID Core §3.1.3.7 (11)", "it does not belong to this sign-in (nonce)")
    }

    private func checkAge(_ object: JSONObject, _ now: WallTime) throws(OIDCError) {
        guard let maxAge = configuration.maxAge else { return }
        // §3.1.3.7 (13), §2: auth_time is due when max_age was asked for.
        let signedInAt = object["auth_time"]?.number?.seconds.map(WallTime.init(sinceEpoch:))
        try require(
            "auth_time present",
            signedInAt != nil,
            "OpenID Core §2",
            "it has no auth_time although max_age was asked for",
            advice: "leave max_age out, or tell the issuer's operator"
        )
        guard let signedInAt else { return }
        try require(
            "auth_time",
            now - signedInAt <= maxAge + configuration.clockSkew,
            "OpenID Core §3.1.3.7 (13)",
            "the person proved who they are longer ago than max_age allows"
        )
    }

    /// §12.2: the same issuer and subject as before; `azp` and `nonce` as before, where they are there.
    private func checkContinuity(_ token: VerifiedJWT, _ held: StoredCredential, _ subject: String) throws(OIDCError) {
        let object = token.claims
        if let account = held.account {
            let issuer = token.issuer ?? ""
            let isSame = account.subject.hasSameBytes(as: subject) && account.issuer.hasSameBytes(as: issuer)
            Trace.check("iss and sub as before", passed: isSame, clause: "OpenID Core §12.2")
            guard isSame else {
                throw OIDCError(
                    .subjectChanged,
                    "The refresh brought an ID token of another account, so nothing of it is used; sign in again.",
                    remedy: .signInAgain,
                    delivery: .answered
                )
            }
        }
        guard let idToken = held.idToken else { return }
        let before = try kept(idToken)
        if object.has("nonce") {
            let isSame = object["nonce"] == before["nonce"]
            try require("nonce as before", isSame, "OpenID Core §12.2", "its nonce is not that of the sign-in")
        }
        if object.has("azp") || before.has("azp") {
            try require(
                "azp as before",
                object["azp"] == before["azp"],
                "OpenID Core §12.2",
                "its azp is not that of the sign-in"
            )
        }
        if object.has("auth_time"), before.has("auth_time"), object["auth_time"]?.int64 != before["auth_time"]?.int64 {
            Trace.note("The issuer gave another auth_time at refresh (OpenID Core §12.2).")
        }
    }

    /// The claims of the ID token that is kept; one that cannot be read is no reason to compare nothing.
    private func kept(_ idToken: HeldToken) throws(OIDCError) -> JSONObject {
        guard let claims = (try? UnverifiedJWT(decoding: idToken.value.reveal()))?.claims else {
            throw OIDCError(
                .invalidIDToken,
                "The ID token that is kept cannot be read, so the new one cannot be compared with it; sign in again.",
                remedy: .signInAgain,
                delivery: .answered
            )
        }
        return claims
    }

    private func require(
        _ subject: String,
        _ passed: Bool,
        _ clause: String,
        _ why: String,
        advice: String = "sign in again, and tell the issuer's operator if it stays so"
    ) throws(OIDCError) {
        Trace.check("\(subject) of the ID token", passed: passed, clause: clause)
        guard !passed else { return }
        throw OIDCError(
            .invalidIDToken,
            "The ID token was refused, and nothing of the answer is used: \(why); \(advice).",
            remedy: .fixConfiguration,
            delivery: .answered
        )
    }

    /// What a person recognises: the user name, else the address, else the name.
    private static func displayName(_ object: JSONObject) -> String? {
        ["preferred_username", "email", "name"].lazy
            .compactMap { object.text($0) }
            .first { !$0.isEmpty }
            .map { String(OAuthErrorBody(error: $0).error.prefix(200)) }
    }
}
