import AuthKitCore

/// Everything a development issuer remembers; a plain value, changed under one lock.
struct IssuerState: Sendable {
    var codes = BoundedTable<String, AuthorizationCode>(limit: 5000)
    var pending = BoundedTable<String, PendingConsent>(limit: 1000)
    var sessions = BoundedTable<String, BrowserSession>(limit: 1000)
    var families = BoundedTable<String, TokenFamily>(limit: 10_000)
    /// The family of every refresh token, used ones too: that is how reuse is seen.
    var refreshTokens = BoundedTable<String, String>(limit: 50_000)
    var accessTokens = BoundedTable<String, AccessTokenRecord>(limit: 20_000)
    var idTokens = BoundedTable<String, IssuedIDToken>(limit: 20_000)
    var keys: KeyRing
    var faults: FaultScript
    var statistics = DevStatistics()
    var niantic = NianticState()

    init(keys: KeyRing, faults: FaultScript) {
        self.keys = keys
        self.faults = faults
    }

    /// Ends a family: its access and refresh tokens are worth nothing from now on.
    mutating func end(_ family: String) {
        guard var ended = families[family], !ended.hasEnded else { return }
        ended.hasEnded = true
        families[family] = ended
        statistics.familiesKilled += 1
    }

    /// Whether a family is known and lives.
    func isLive(_ family: String) -> Bool { families[family]?.hasEnded == false }

    /// The record of an access token that is good now.
    func liveAccessToken(_ token: String, at now: Moment) -> AccessTokenRecord? {
        guard let record = accessTokens[token], !record.isRevoked, isLive(record.family),
            now.since(record.madeAt) < record.lifetime
        else { return nil }
        return record
    }

    /// Takes the next fault of a point and counts it.
    mutating func takeFault(_ point: Fault.Point) -> FaultKind? {
        guard let kind = faults.take(point) else { return nil }
        let name = "\(point.rawValue):\(kind)"
        if statistics.faults.count < FaultScript.limit || statistics.faults[name] != nil {
            statistics.faults[name, default: 0] += 1
        }
        return kind
    }
}
