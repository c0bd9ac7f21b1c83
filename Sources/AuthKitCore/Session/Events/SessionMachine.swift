/// What a session's state does when something happens: a table, and the generation that it is about.
///
/// Pure: it reads no clock and does nothing. A sign-in or sign-out begins a new generation (the incarnation); what is
/// told of another one than the present changes nothing.
struct SessionMachine: Sendable {
    /// The states of `SessionState`, without what they carry.
    enum Standing: Sendable, Hashable, CaseIterable {
        case signedOut, signedIn, refreshing, needsSignIn, disposed
    }

    /// What can happen.
    enum Event: Sendable, Hashable, CaseIterable {
        /// A new generation, with somebody signed in.
        case signedIn
        /// A new generation, with nobody signed in.
        case signedOut
        /// The provider is being asked.
        case renewing
        /// New tokens came, from wherever.
        case renewed
        /// A renewal failed and may succeed later.
        case renewalFailed
        /// A renewal is over and brought nothing new.
        case renewalEnded
        /// What is held no longer works.
        case signInNeeded
        /// The session is given up.
        case disposed
    }

    /// Why an event changes nothing.
    enum Refusal: Error, Sendable, Hashable {
        /// Nobody is signed in, so there is nothing to renew.
        case nobodySignedIn
        /// A renewal is under way already.
        case alreadyRefreshing
        /// No renewal is under way.
        case notRefreshing
        /// A person has to sign in first.
        case signInNeeded
        /// It is about a generation that has ended, or one that has not begun.
        case otherGeneration
        /// The session was given up.
        case disposed
    }

    /// One cell of the table: the next state, or why there is none.
    typealias Transition = Result<Standing, Refusal>

    private(set) var standing: Standing
    private(set) var generation: Incarnation?
    private var problem: Problem?

    /// Starts signed out, with no generation.
    init() {
        standing = .signedOut
    }

    /// The state with what it carries.
    var state: SessionState {
        switch standing {
        case .signedOut: .signedOut
        case .signedIn: .signedIn
        case .refreshing: .refreshing
        case .needsSignIn: .needsSignIn(problem)
        case .disposed: .disposed
        }
    }

    /// Takes an event of a generation in; throws why it changes nothing.
    ///
    /// Disposal is of no generation. `problem` goes with `signInNeeded`.
    mutating func handle(_ event: Event, of generation: Incarnation?, problem: Problem? = nil) throws(Refusal) {
        let next = try Self.transition(from: standing, on: event).get()
        switch event {
        case .signedIn, .signedOut: self.generation = generation
        case .disposed: break
        case .renewing, .renewed, .renewalFailed, .renewalEnded, .signInNeeded:
            guard generation == self.generation else { throw .otherGeneration }
        }
        standing = next
        self.problem = next == .needsSignIn ? problem : nil
    }

    /// The table of transitions.
    static func transition(from standing: Standing, on event: Event) -> Transition {
        switch (standing, event) {
        case (.disposed, _): .failure(.disposed)
        case (_, .disposed): .success(.disposed)
        case (_, .signedIn): .success(.signedIn)
        case (_, .signedOut): .success(.signedOut)
        case (.signedOut, _): .failure(.nobodySignedIn)
        case (.needsSignIn, .renewing), (.needsSignIn, .renewalFailed): .failure(.signInNeeded)
        case (.needsSignIn, .renewalEnded): .failure(.notRefreshing)
        case (.refreshing, .renewing): .failure(.alreadyRefreshing)
        case (_, .renewing): .success(.refreshing)
        // Another process may renew what was refused here, and renew or fail without our asking.
        case (_, .renewed), (_, .renewalFailed): .success(.signedIn)
        case (.signedIn, .renewalEnded): .failure(.notRefreshing)
        case (.refreshing, .renewalEnded): .success(.signedIn)
        case (_, .signInNeeded): .success(.needsSignIn)
        }
    }
}
