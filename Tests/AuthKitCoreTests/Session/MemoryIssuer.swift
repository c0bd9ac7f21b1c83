import AuthKitCore

/// An issuer in memory that rotates refresh tokens strictly: any reuse kills the family.
final class MemoryIssuer: Sendable {
    struct State: Sendable {
        var current = "refresh-1"
        var spent: Set<String> = []
        var renewals = 0
        var reuses = 0
        var revoked: [String] = []
        var isDead = false
    }

    let state = Guarded(State())
    let lifetime: Duration

    init(lifetime: Duration = .seconds(3600)) {
        self.lifetime = lifetime
    }

    var renewals: Int { state.withLock { $0.renewals } }
    var reuses: Int { state.withLock { $0.reuses } }
    var revoked: [String] { state.withLock { $0.revoked } }

    /// Grants new tokens for the current refresh token, or refuses.
    func refresh(_ token: String) -> (access: String, refresh: String)? {
        state.withLock { state in
            guard token == state.current, !state.isDead else {
                if state.spent.contains(token) {
                    state.reuses += 1
                    state.isDead = true
                }
                return nil
            }
            state.renewals += 1
            state.spent.insert(token)
            state.current = "refresh-\(state.renewals + 1)"
            return ("access-\(state.renewals + 1)", state.current)
        }
    }
}
