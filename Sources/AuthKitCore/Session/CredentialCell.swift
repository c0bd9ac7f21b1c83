/// What all sessions over one credential share in a process: the newest state known, and the renewals under way.
final class CredentialCell: Sendable {
    private struct Viewer: Sendable {
        weak let feed: SessionFeed?
    }

    private struct State: Sendable {
        var snapshot: CredentialSnapshot?
        var flights: [AccessTokenKey: Flight<RenewalLanding>] = [:]
        /// The life of the credential whose provider is being asked.
        var renewing: Incarnation?
        /// How many sign-ins of this process there have been.
        var lives = 0
        var viewers: [Viewer] = []
    }

    private let state = Guarded(State())
    /// The nonces that resources gave out, and the key for proofs.
    let proofs = ProofCache()

    /// The newest state known here.
    var snapshot: CredentialSnapshot? { state.withLock { $0.snapshot } }

    /// Publishes a state, unless a later revision is known: revisions grow across incarnations, tombstones and purges, so
    /// a renewal that was overtaken by a sign-out cannot bring its token back.
    ///
    /// What it changes is told to every session, whoever made the change. What a sign-in brings begins a life: whoever
    /// asks from then on joins no flight that began before it, and may have found that nobody is signed in.
    func publish(_ entry: VaultEntry, isUnsaved: Bool = false, beginsLife: Bool = false) {
        let deliveries = state.withLock { state in
            if beginsLife {
                state.flights = [:]
                state.lives += 1
            }
            let known = state.snapshot
            if let known {
                let revision = known.entry.version.revision
                if revision > entry.version.revision { return [SessionEvents.Delivery]() }
                if revision == entry.version.revision, known.isUnsaved == isUnsaved || !known.isUnsaved { return [] }
            }
            let next = CredentialSnapshot(entry: entry, isUnsaved: isUnsaved)
            state.snapshot = next
            return Self.tell(CredentialChange.changes(from: known, to: next), &state)
        }
        for delivery in deliveries { delivery.make() }
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

    /// Says that the provider is being asked.
    func renewalBegins(of incarnation: Incarnation) {
        let deliveries = state.withLock { state in
            state.renewing = incarnation
            let change = CredentialChange(machineEvent: .renewing, generation: incarnation, event: .refreshing)
            return Self.tell([change], &state)
        }
        for delivery in deliveries { delivery.make() }
    }

    /// Says that the provider is no longer being asked; `failure` is why nothing newer is here.
    func renewalEnds(failure: (any Error)?) {
        let deliveries = state.withLock { state in
            let incarnation = state.renewing ?? state.snapshot?.entry.credential.incarnation
            state.renewing = nil
            guard let incarnation else { return [SessionEvents.Delivery]() }  // Nobody has signed in yet.
            return Self.tell([.renewalEnded(failure, of: incarnation)], &state)
        }
        for delivery in deliveries { delivery.make() }
    }

    /// Counts the sign-ins of this process, so that what began before one is told from what began after it.
    var lives: Int { state.withLock { $0.lives } }

    /// Says that a renewal did not get as far as asking the provider.
    ///
    /// Nothing is told where somebody signed in meanwhile, or another flight asks: it has its own end to tell.
    func renewalMissed(failure: (any Error)?, since lives: Int) {
        let deliveries = state.withLock { state in
            guard state.lives == lives, state.renewing == nil,
                let incarnation = state.snapshot?.entry.credential.incarnation
            else { return [SessionEvents.Delivery]() }
            return Self.tell([.renewalEnded(failure, of: incarnation)], &state)
        }
        for delivery in deliveries { delivery.make() }
    }

    /// Adds a session's view, brought to where things stand.
    func add(_ feed: SessionFeed) {
        state.withLock { state in
            state.viewers.removeAll { $0.feed == nil }
            state.viewers.append(Viewer(feed: feed))
            guard let snapshot = state.snapshot else { return }
            var changes = CredentialChange.changes(from: nil, to: snapshot)
            if let renewing = state.renewing {
                changes.append(CredentialChange(machineEvent: .renewing, generation: renewing, event: nil))
            }
            for change in changes { _ = feed.take(change) }  // It has no subscribers yet.
        }
    }

    private static func tell(_ changes: [CredentialChange], _ state: inout State) -> [SessionEvents.Delivery] {
        changes.flatMap { change in state.viewers.flatMap { $0.feed?.take(change) ?? [] } }
    }
}
