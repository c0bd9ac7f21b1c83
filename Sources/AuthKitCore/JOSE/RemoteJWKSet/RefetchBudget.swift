/// Decides whether a token that the keys do not explain may cause a request: bounds what strangers can make us send.
///
/// A doubt that a fetch has not settled is not worth another one for a while; all doubts together share a bucket of
/// tokens that fills up slowly. Pure: time comes in with each call.
struct RefetchBudget {
    struct Settings {
        /// How many requests may be made at once after a quiet time.
        var capacity = 5
        /// How long it takes until there is one more.
        var refill: Duration = .seconds(30)
        /// How long a doubt that was not settled causes no request.
        var memory: Duration = .seconds(60)
        /// How many such doubts are kept in mind; the oldest go first.
        var memoryLimit = 256
    }

    private let settings: Settings
    private var tokens: Int
    private var filledAt: Moment
    private var unsettled: [(doubt: RemoteJWKSet.Doubt, at: Moment)] = []

    init(_ settings: Settings, at now: Moment) {
        self.settings = settings
        tokens = settings.capacity
        filledAt = now
    }

    /// Takes a token for a doubt; false when there is none, or the doubt was looked into a short while ago.
    mutating func take(for doubt: RemoteJWKSet.Doubt, at now: Moment) -> Bool {
        unsettled.removeAll { now.since($0.at) >= settings.memory }
        guard !unsettled.contains(where: { $0.doubt == doubt }) else { return false }
        refill(at: now)
        guard tokens > 0 else { return false }
        tokens -= 1
        return true
    }

    /// Remembers that a fetch was made for a doubt and is over.
    mutating func remember(_ doubt: RemoteJWKSet.Doubt, at now: Moment) {
        if unsettled.count >= settings.memoryLimit { unsettled.removeFirst() }
        unsettled.append((doubt, now))
    }

    /// Forgets all doubts: the keys have changed.
    mutating func forget() {
        unsettled = []
    }

    private mutating func refill(at now: Moment) {
        let periods = Int(min(now.since(filledAt) / settings.refill, 1024))
        guard periods > 0 else { return }
        tokens = min(settings.capacity, tokens + periods)
        filledAt = now
    }
}
