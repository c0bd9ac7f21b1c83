/// What a renewal brings to those who waited for it.
struct RenewalLanding: Sendable {
    /// The state after it.
    let entry: VaultEntry
    /// Whether tokens were fetched, by this flight or by another holder of the lease since it began.
    let refreshed: Bool
    /// Why nothing newer was had, where what is held still lives.
    let failure: (any Error)?
    /// Whether the store does not have it yet.
    let isUnsaved: Bool
}
