extension JWTPolicy {
    /// Checks the rules of a token whose signature, `typ` and registered claims were found right.
    func checkRules(
        _ header: JWSHeader,
        _ claims: JWTClaims,
        _ key: KeyKind,
        at now: WallTime
    ) throws(JWTError) {
        guard !rules.isEmpty else { return }
        let token = RuledToken(header: header, claims: claims, key: key, now: now, clockSkew: clockSkew)
        for rule in rules { try rule.check(token) }
    }
}
