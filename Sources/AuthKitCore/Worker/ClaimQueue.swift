/// What was claimed and not begun, and how much may be asked of whom at once: total, and by issuer.
struct ClaimQueue: Sendable {
    /// One claimed credential.
    struct Item: Sendable {
        /// The record as claimed.
        let record: SealedRecord
        /// What is in it.
        let entry: VaultEntry
        /// Who renews it.
        let provider: any TokenProvider
        /// When it was claimed.
        let claimedAt: Moment

        /// Whether a token was sent of whose answer nothing is kept.
        var isInDoubt: Bool { !entry.credential.intents.isEmpty }

        /// Whose limits count.
        ///
        /// The record's hash of it will not do: under another data key it is another one.
        var issuer: IssuerKey { IssuerKey(entry.credential.id) }
    }

    /// What is known of one issuer.
    struct Issuer: Sendable {
        var bucket: TokenBucket
        let concurrent: Int
        var running = 0
        /// What stands for it in records, the newest last.
        var hashes: [[UInt8]] = []
        /// Until when it asked to be let be.
        var restsUntil = Int64.min
    }

    /// So many issuers are remembered; those that rest are forgotten first.
    private static let issuerLimit = 4096
    /// So many hashes of one issuer are known: a change of the data key goes from one to another.
    private static let hashLimit = 4

    private let limits: RefreshLimits
    private var total: TokenBucket
    private(set) var issuers: [IssuerKey: Issuer] = [:]
    /// Those that wait, in the order in which they are begun.
    var items: [Item] = []
    /// So many are to wait at most; see `takeOutExcess`.
    let capacity: Int
    /// How many are under way.
    private(set) var running = 0

    init(_ limits: RefreshLimits, capacity: Int = 128) {
        self.limits = limits
        self.capacity = max(2, capacity)
        total = TokenBucket(perSecond: limits.total.perSecond, burst: limits.total.burst)
    }

    /// How many wait.
    var count: Int { items.count }

    /// Whether more may be under way, leaving rates aside.
    var hasRoom: Bool { running < limits.total.concurrent }

    /// Adds what was claimed, in order of due times; what is in doubt goes before all else.
    mutating func push(_ item: Item, at now: Moment) {
        let key = item.issuer
        var issuer = issuers[key] ?? makeIssuer(key)
        if !issuer.hashes.contains(item.record.issuerHash) {
            issuer.hashes.append(item.record.issuerHash)
            if issuer.hashes.count > Self.hashLimit { issuer.hashes.removeFirst() }
        }
        remember(key, issuer, at: now.sinceBoot.nanoseconds)
        guard item.isInDoubt else { return items.append(item) }
        items.insert(item, at: items.firstIndex { !$0.isInDoubt } ?? items.endIndex)
    }

    /// Takes out the first whose issuer may be asked now; it counts as under way.
    mutating func start(at now: Moment) -> Item? {
        let time = now.sinceBoot.nanoseconds
        guard hasRoom, total.nextTake <= time else { return nil }
        for (index, item) in items.enumerated() {
            let key = item.issuer
            var issuer = issuers[key] ?? makeIssuer(key)
            guard issuer.running < issuer.concurrent, issuer.bucket.nextTake <= time else { continue }
            issuer.bucket.take(at: time)
            issuer.running += 1
            remember(key, issuer, at: time)
            total.take(at: time)
            running += 1
            items.remove(at: index)
            return item
        }
        return nil
    }

    /// Counts one that is no longer under way; what its issuer asks for holds back the others of the issuer too.
    mutating func finish(_ item: Item, pause: Duration? = nil, at now: Moment) {
        running -= 1
        let key = item.issuer
        issuers[key]?.running -= 1
        guard let pause, var issuer = issuers[key] else { return }
        let end = (now.sinceBoot + max(.zero, min(pause, .seconds(3600)))).nanoseconds
        issuer.bucket.pause(until: end)
        issuer.restsUntil = max(end, issuer.restsUntil)
        issuers[key] = issuer
    }

    /// How long until a rate lets one of those that wait begin; nil when that is not what they wait for.
    func wait(at now: Moment) -> Duration? {
        guard hasRoom else { return nil }
        let time = now.sinceBoot.nanoseconds
        let next = items.lazy.compactMap { item -> Int64? in
            guard let issuer = issuers[item.issuer] else { return time }
            return issuer.running < issuer.concurrent ? issuer.bucket.nextTake : nil
        }.min()
        return next.map { .nanoseconds(max(0, max($0, total.nextTake) - time)) }
    }

    /// Takes out those that were claimed so long ago that others may claim them soon, or all.
    mutating func takeOut(claimedBefore age: Duration, at now: Moment) -> [Item] {
        takeOut { now.since($0.claimedAt) >= age }
    }

    /// Takes out what fits.
    mutating func takeOut(where fits: (Item) -> Bool) -> [Item] {
        guard items.contains(where: fits) else { return [] }
        let out = items.filter(fits)
        items.removeAll(where: fits)
        return out
    }

    private func makeIssuer(_ key: IssuerKey) -> Issuer {
        let limit = limits.issuers[key.issuer] ?? limits.perIssuer
        return Issuer(
            bucket: TokenBucket(perSecond: limit.perSecond, burst: limit.burst),
            concurrent: limit.concurrent
        )
    }

    private mutating func remember(_ key: IssuerKey, _ issuer: Issuer, at time: Int64) {
        issuers[key] = issuer
        guard issuers.count > Self.issuerLimit else { return }
        issuers = issuers.filter { $0.value.running > 0 || !$0.value.bucket.isFull(at: time) }
    }
}
