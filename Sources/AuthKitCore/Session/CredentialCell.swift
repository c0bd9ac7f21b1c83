/// What all sessions over one credential share in a process: the newest state known, and the renewals under way.
final class CredentialCell: Sendable {
    /// The newest state known here.
    struct Snapshot: Sendable {
        let entry: VaultEntry
        /// Whether the store does not have it yet.
        let isUnsaved: Bool
    }

    private struct State: Sendable {
        var snapshot: Snapshot?
        var flights: [AccessTokenKey: Flight<RenewalLanding>] = [:]
    }

    private let state = Guarded(State())

    /// The newest state known here.
    var snapshot: Snapshot? { state.withLock { $0.snapshot } }

    /// Publishes a state, unless a later revision is known: revisions grow across incarnations and tombstones, so a
    /// renewal that was overtaken by a sign-out cannot bring its token back.
    func publish(_ entry: VaultEntry, isUnsaved: Bool = false) {
        state.withLock { state in
            if let known = state.snapshot {
                let revision = known.entry.version.revision
                if revision > entry.version.revision { return }
                if revision == entry.version.revision, isUnsaved, !known.isUnsaved { return }
            }
            state.snapshot = Snapshot(entry: entry, isUnsaved: isUnsaved)
        }
    }

    /// Forgets what is known, so that the store is read next.
    func forget() {
        state.withLock { $0.snapshot = nil }
    }

    /// Joins the flight of a key, or starts one with `make`.
    func flight(for key: AccessTokenKey, make: () -> Flight<RenewalLanding>) -> Flight<RenewalLanding> {
        state.withLock { state in
            if let flight = state.flights[key] { return flight }
            let flight = make()
            state.flights[key] = flight
            return flight
        }
    }

    /// Ends a flight for those who come later.
    func land(_ flight: Flight<RenewalLanding>, for key: AccessTokenKey) {
        state.withLock { state in
            if state.flights[key] === flight { state.flights[key] = nil }
        }
    }
}
