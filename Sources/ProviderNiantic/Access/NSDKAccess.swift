public import AuthKitCore

/// Keeps consumers supplied with NSDK access tokens: restored at start, renewed ahead of time, cleared at logout.
///
/// Works over a session of each kind: sample sign-in, service account, developer token, own back end. Renewal is the
/// scheduler's, one for a process; what it brings, and what other processes bring, is pushed to every consumer in order.
/// What belongs to an account that has logged out is never pushed after that; `login` begins again, for each kind.
public actor NSDKAccess {
    /// The session that the tokens come from.
    public nonisolated let session: Session
    /// The pace of the operations that `AuthorizationRetry` runs; nil where no rate is known.
    public nonisolated let pace: RequestPace?

    private let scheduler: RefreshScheduler
    private let time: any TimeSource
    private let userIDClaims: [String]
    private var consumers: [Int: any AccessTokenConsumer] = [:]
    private var nextNumber = 0
    private var pump: Task<Void, Never>?
    /// What the consumers have, with its end on this machine's clock.
    private var current: HeldToken?
    /// Whose that is, where it is known.
    private var owner: Account?
    /// Counts what ended a supply: what was begun under an earlier number is not pushed.
    private var generation = 0
    /// Nothing is pushed after a logout until somebody signs in.
    private var isLoggedOut = false
    /// How many logouts are storing their tombstones: until they have, what is stored is not to be pushed.
    private var logoutsUnderWay = 0
    /// Numbers the looks for a token; what an earlier look found is not pushed over what a later one did.
    private var looks = 0
    private var pushedLook = 0
    private var lastFailure: (any Error)?
    private var arrivals: [Int: AsyncStream<Void>.Continuation] = [:]

    /// Makes one that does nothing yet.
    ///
    /// Where nothing else is said, the claims of `authInfo.userId` are those of the sample sign-in's configuration, and
    /// the requests of a developer token are paced at ten a second.
    public init(
        _ session: Session,
        scheduler: RefreshScheduler,
        time: any TimeSource = SystemTime(),
        userIDClaims: [String]? = nil,
        pace: RequestPace? = nil
    ) {
        self.session = session
        self.scheduler = scheduler
        self.time = time
        let provider = session.provider
        self.userIDClaims =
            userIDClaims ?? (provider as? NianticProvider)?.configuration.userIDClaims ?? AuthInfo.usualUserIDClaims
        self.pace = pace ?? (provider is DeveloperTokenProvider ? RequestPace(time: time) : nil)
    }

    deinit {
        pump?.cancel()
    }

    /// Restores what is stored and keeps it fresh from now on; doing it twice is nothing.
    ///
    /// A stored token that has ended is renewed, and where that cannot be, nothing is deleted: `session.state` says what
    /// is needed. Waits until the first token is pushed, or cannot be had now; the error is that of the renewal.
    @discardableResult
    public func start() async -> (any Error)? {
        guard pump == nil else { return nil }
        let events = session.events
        pump = Task { [weak self] in
            for await event in events {
                guard let self else { return }
                await self.take(event)
            }
        }
        let failure = await supply(validFor: .seconds(60))
        if pump != nil { await scheduler.add(session) }
        return failure
    }

    /// Keeps nothing fresh any more; consumers keep what they have.
    public func stop() async {
        pump?.cancel()
        pump = nil
        await scheduler.remove(session)
    }

    /// Gives a consumer the present token, if there is one, and each new one; as long as the subscription is held.
    public func subscribe(_ consumer: any AccessTokenConsumer) -> AccessSubscription {
        nextNumber += 1
        consumers[nextNumber] = consumer
        if let token = alive { consumer.setAccessToken(token.value) }
        return AccessSubscription(self, number: nextNumber)
    }

    func removeConsumer(_ number: Int) { consumers[number] = nil }

    /// Whether there is an access token that has not ended.
    public var isAuthorized: Bool { alive != nil }

    /// What the present access token says of itself; nil where there is none, or where it is no JWT.
    public var authInfo: AuthInfo? {
        current.flatMap { AuthInfo(accessToken: $0.value, userIDClaims: userIDClaims) }
    }

    /// Whether the access token has ended or ends within a time, a minute by default; true where there is none.
    ///
    /// A token whose end nobody knows counts as ended.
    public func isAccessExpiredOrExpiringSoon(within lead: Duration = .seconds(60)) -> Bool {
        guard let current, case .lasts(let rest) = current.expiry.remaining(at: time.now) else { return true }
        return rest <= lead
    }

    /// Signs a person in through a user agent, and gives the consumers the first token; see `Session.signIn`.
    ///
    /// That there is no token yet fails no sign-in: the report says why, and the consumers are given it when it comes.
    @discardableResult
    public func login(through agent: any UserAgent, within limit: Duration = .seconds(300)) async throws -> SignInReport
    {
        let report = try await session.signIn(through: agent, within: limit)
        await begin()
        return report
    }

    /// Begins anew where nobody has to sign in: service account, developer token, own back end; see `Session.signIn`.
    @discardableResult
    public func login(within limit: Duration = .seconds(60)) async throws -> SignInReport {
        let report = try await session.signIn(within: limit)
        await begin()
        return report
    }

    /// Takes a sign-in in; a logout that came meanwhile has taken the session's tokens away, so that nothing is pushed.
    private func begin() async {
        isLoggedOut = false
        await supply(validFor: .nanoseconds(1))
    }

    /// Logs out: consumers are cleared first, then what is stored is replaced by a tombstone.
    ///
    /// A renewal under way, whatever step it is at, changes nothing any more. With `local` no address for the browser's
    /// sign-out is made. Throws when the tombstone cannot be stored; the consumers stay cleared all the same.
    @discardableResult
    public func logout(local: Bool = false) async throws -> SignOutReport {
        isLoggedOut = true
        clear()
        logoutsUnderWay += 1
        let result: Result<SignOutReport, any Error>
        do {
            result = .success(try await session.signOut(local: local))
        } catch {
            result = .failure(error)
        }
        logoutsUnderWay -= 1
        // A look that a sign-in's end began meanwhile may have seen what is gone now: it is not to be pushed.
        generation += 1
        if !isLoggedOut { await supply(validFor: .nanoseconds(1)) }
        return try result.get()
    }

    /// Waits until there is an access token, and returns it; throws `authorization_timed_out`.
    ///
    /// Somebody may sign in, or the service come back, meanwhile. A renewal that takes longer goes on.
    func authorization(within limit: Duration) async throws -> Secret {
        if let token = alive { return token.value }
        let deadline = Deadline(limit, from: time.now)
        let (arrival, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        nextNumber += 1
        let number = nextNumber
        arrivals[number] = continuation
        defer { arrivals[number] = nil }
        Task { await self.look() }
        while true {
            if let token = alive { return token.value }
            let rest = deadline.remaining(at: time.now)
            guard rest > .zero, try await Self.hasArrived(arrival, within: rest, on: time) else {
                throw Self.timedOut(cause: lastFailure)
            }
        }
    }

    /// Begins, or asks once more where it has begun.
    private func look() async {
        if pump == nil { await start() } else { await supply(validFor: .nanoseconds(1)) }
    }

    private static func hasArrived(
        _ arrival: AsyncStream<Void>,
        within limit: Duration,
        on time: any TimeSource
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in arrival { return true }
                try Task.checkCancellation()
                return false
            }
            group.addTask {
                try await time.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    /// Fetches another token than one that was refused; throws what the renewal throws.
    func replacement(of token: Secret) async throws -> Secret {
        let began = generation
        let issued = try await session.token(for: TokenRequest(reason: .rejected(TokenFingerprint(of: token))))
        looks += 1
        push(issued, began: began, look: looks)
        return issued.token.value
    }

    private var alive: HeldToken? {
        current.flatMap { $0.expiry.lasts(for: .nanoseconds(1), at: time.now) ? $0 : nil }
    }

    private func take(_ event: SessionEvent) async {
        switch event {
        case .accountSwitched(_, let account, _):
            // What the consumers have is somebody else's, unless a login has given them the new one's already.
            if account == nil || owner != account { clear() }
            isLoggedOut = false
            await supply(validFor: .nanoseconds(1))
        case .signedIn:
            isLoggedOut = false
            await supply(validFor: .nanoseconds(1))
        case .renewed, .missed:
            await supply(validFor: .nanoseconds(1))
        case .signedOut, .needsSignIn:
            // Somebody may have signed in since; what that means for the consumers, its own event tells.
            switch session.state {
            case .signedIn, .refreshing: break
            case .signedOut, .needsSignIn, .disposed: clear()
            }
        case .disposed: clear()
        case .refreshing, .renewalFailed, .unsaved, .saved: break
        }
    }

    /// Fetches the token that is to be used now, and pushes it unless a logout came meanwhile.
    @discardableResult
    private func supply(validFor: Duration) async -> (any Error)? {
        guard !isLoggedOut else { return nil }
        let began = generation
        looks += 1
        let look = looks
        do {
            push(try await session.token(validFor: validFor), began: began, look: look)
            lastFailure = nil
        } catch {
            lastFailure = error  // What it means for the session, its events tell.
        }
        return lastFailure
    }

    private func push(_ issued: IssuedToken, began: Int, look: Int) {
        let token = issued.token
        guard began == generation, !isLoggedOut, logoutsUnderWay == 0, look >= pushedLook else { return }
        pushedLook = look
        defer { for arrival in arrivals.values { arrival.yield() } }
        owner = issued.account
        guard token.value != current?.value else {
            current = token
            return
        }
        current = token
        for (_, consumer) in consumers.sorted(by: { $0.key < $1.key }) { consumer.setAccessToken(token.value) }
    }

    private func clear() {
        generation += 1
        owner = nil
        guard current != nil else { return }
        current = nil
        for (_, consumer) in consumers.sorted(by: { $0.key < $1.key }) { consumer.setAccessToken(Secret("")) }
    }

    private static func timedOut(cause: (any Error)?) -> NianticError {
        let failure = cause as? any ProviderFailure
        return NianticError(
            .authorizationTimedOut,
            "There was no access token in time\(failure.map { ": \($0)" } ?? "; sign in, then try again.")",
            remedy: failure?.remedy ?? .signInAgain,
            cause: cause
        )
    }
}
