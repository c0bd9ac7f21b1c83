import AuthKitCore

/// Everything the development identity service of the NSDK remembers.
struct NianticState: Sendable {
    var families = BoundedTable<String, NianticFamily>(limit: 10_000)
    /// Every token that can come back, used ones too: that is how reuse is seen.
    var tokens = BoundedTable<String, NianticToken>(limit: 50_000)
    var pending = BoundedTable<String, PendingSignIn>(limit: 1000)
    var statistics = DevNianticStatistics()

    /// Begins a family with its first session token.
    mutating func begin(_ family: String, _ user: DevUser, _ token: String, _ record: NianticToken) {
        families[family] = NianticFamily(user: user)
        tokens[token] = record
        statistics.signIns += 1
    }

    /// Ends a family: its tokens are worth nothing from now on.
    mutating func end(_ family: String) {
        guard var ended = families[family], !ended.hasEnded else { return }
        ended.hasEnded = true
        families[family] = ended
        statistics.familiesKilled += 1
    }

    /// Whose token it is, whatever it is worth.
    func user(of token: String) -> DevUser? { tokens[token].flatMap { families[$0.family]?.user } }

    /// Looks at a token that is to be used; one that has a successor ends everything that its sign-in brought.
    ///
    /// Nobody can tell the thief from the app (RFC 9700 §4.14.2, which this protocol does not name but needs as much).
    mutating func use(
        _ token: String,
        as kind: NianticToken.Kind,
        now: Moment
    ) throws(IdentityProblem) -> NianticToken {
        guard let record = tokens[token], record.kind == kind, let family = families[record.family] else {
            throw IdentityProblem("unknown", "invalid token")
        }
        guard !family.hasEnded else { throw IdentityProblem("ended", "token revoked") }
        guard !record.isSpent else {
            statistics.reuseDetections += 1
            end(record.family)
            throw IdentityProblem("reuse", "token was used before")
        }
        guard now.since(record.issuedAt) < record.lifetime else { throw IdentityProblem("expired", "token expired") }
        return record
    }

    /// Gives a token its successor, which ends it.
    mutating func replace(_ token: String, by successor: String, lifetime: Duration, now: Moment) {
        guard var record = tokens[token] else { return }
        record.isSpent = true
        tokens[token] = record
        tokens[successor] = NianticToken(
            kind: record.kind,
            family: record.family,
            issuedAt: now,
            lifetime: lifetime
        )
    }
}
