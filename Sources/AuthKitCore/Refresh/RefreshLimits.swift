/// How much a scheduler asks of issuers: rates, and how much at once.
public struct RefreshLimits: Sendable, Hashable {
    /// One limit.
    public struct Limit: Sendable, Hashable {
        /// Renewals begun in a second.
        public var perSecond: Double
        /// Renewals that may begin at once after a rest.
        public var burst: Int
        /// Renewals under way at a time.
        public var concurrent: Int

        /// Makes a limit; each is at least one, the rate at least one in a thousand seconds.
        public init(perSecond: Double, burst: Int, concurrent: Int) {
            self.perSecond = min(max(perSecond, 0.001), 1_000_000)
            self.burst = min(max(burst, 1), 1_000_000)
            self.concurrent = max(concurrent, 1)
        }
    }

    /// For all issuers together.
    public var total: Limit
    /// For each issuer.
    public var perIssuer: Limit
    /// For single issuers, by `CredentialID.issuer`.
    public var issuers: [String: Limit]

    /// Makes limits.
    public init(
        total: Limit = Limit(perSecond: 200, burst: 50, concurrent: 64),
        perIssuer: Limit = Limit(perSecond: 50, burst: 10, concurrent: 16),
        issuers: [String: Limit] = [:]
    ) {
        self.total = total
        self.perIssuer = perIssuer
        self.issuers = issuers
    }
}
