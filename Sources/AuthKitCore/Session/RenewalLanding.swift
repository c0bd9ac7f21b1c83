/// What a renewal brings to those who waited for it.
struct RenewalLanding: Sendable {
    /// The state after it, as callers are served from it.
    let snapshot: CredentialSnapshot
    /// Whether tokens were fetched, by this flight or by another holder of the lease since it began.
    let refreshed: Bool
    /// Whether the provider was asked and has nothing newer.
    let declined: Bool
    /// Why nothing newer was had, where what is held still lives.
    let failure: (any Error)?

    init(entry: VaultEntry, refreshed: Bool, declined: Bool = false, failure: (any Error)?, isUnsaved: Bool) {
        snapshot = CredentialSnapshot(entry: entry, isUnsaved: isUnsaved)
        self.refreshed = refreshed
        self.declined = declined
        self.failure = failure
    }
}
