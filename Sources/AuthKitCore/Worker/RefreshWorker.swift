/// Renews whatever is due in a store, ahead of time; several workers, on several machines, share one without more.
///
/// Claims divide the work between them and leases protect it: each credential is renewed as a `Session` does it, with
/// its intent, under its lease, and saved with its next due time. What a worker that died had claimed lapses and is
/// taken over, and what it was renewing is renewed once its lease has lapsed. An issuer that is slow or asks to be let
/// be keeps no other waiting: workers claim none of its records meanwhile.
public actor RefreshWorker {
    /// A claim that is kept for a while though nothing is done with it, so that it is not claimed again at once.
    struct HeldBack {
        let key: RecordKey
        let version: RecordVersion
        let since: Moment
        let pause: Duration
    }

    /// A renewal that was begun.
    private struct UnderWay {
        let item: ClaimQueue.Item
        let since: Moment
        /// Its place was given to others.
        var isGivenUp = false
    }

    /// So many renewals that hang are let go on beside the others at most; more keep their places.
    private static let givenUpLimit = 4096

    let vault: Vault
    let store: any DueTokenStore
    let time: any TimeSource
    let options: Options
    let provider: @Sendable (StoredCredential) -> (any TokenProvider)?
    let backoff = Backoff(first: .seconds(1), limit: .seconds(30))
    /// Whether nobody else has the window.
    let hasOwnWindow: Bool
    var saveWindow: SaveWindow
    var queue: ClaimQueue
    var totals = Counts()
    // Claims: see RefreshWorker+Claims.
    var passedOver = PassedOver()
    var heldBack: [HeldBack] = []
    var returning: [(key: RecordKey, version: RecordVersion)] = []
    var isReturning = false
    var nextClaim: (from: Moment, wait: Duration)
    var nextLook: (from: Moment, wait: Duration)
    var claimFailures = 0
    private let listeners = RefreshListeners()
    private var renewals: [Int: UnderWay] = [:]
    private var givenUp = 0
    private var nextTicket = 0
    private var isRunning = false
    private var isDraining = false
    private var isAwake = false
    private var sleeper: CheckedContinuation<Void, Never>?
    private var drainers: [CheckedContinuation<Void, Never>] = []

    /// Makes a worker over a vault; nothing runs until `run`.
    ///
    /// `provider` says who renews a credential; nil where this worker knows nobody. `saveWindow` is for processes that wait
    /// for one when they end; without it the worker has one of its own. Throws `unsupported_place` when the vault's
    /// store does not know what is due.
    public init(
        vault: Vault,
        options: Options = Options(),
        time: any TimeSource = SystemTime(),
        saveWindow: SaveWindow? = nil,
        provider: @escaping @Sendable (StoredCredential) -> (any TokenProvider)?
    ) throws {
        guard let store = vault.store as? any DueTokenStore else {
            throw StoreError(
                .unsupportedPlace,
                "This store does not find what is due, so no worker can use it; choose another kind of store."
            )
        }
        self.store = store
        self.vault = vault
        self.time = time
        self.saveWindow = saveWindow ?? SaveWindow()
        hasOwnWindow = saveWindow == nil
        self.provider = provider
        var options = options
        options.batch = max(1, min(options.batch, 10_000))
        // Whoever holds the lease does the work: there is nothing to wait for.
        options.session.leaseWait = .zero
        options.session.callerLimit = nil
        self.options = options
        queue = ClaimQueue(options.limits, capacity: 2 * options.batch)
        nextClaim = (time.now, .zero)
        nextLook = nextClaim
    }

    /// What happens from now on; a listener that is slow loses the oldest events.
    public nonisolated var events: AsyncStream<RefreshEvent> { listeners.listen() }

    /// What was done so far.
    public var counts: Counts {
        var counts = totals
        counts.renewing = queue.running
        return counts
    }

    /// Works until its task is cancelled or `drain` is called.
    ///
    /// Then it claims nothing more, gives back what it has not begun, and returns when what it has begun is done and
    /// its answers are stored: a renewal whose one-time token is on its way is never cut off within the limits. A
    /// provider that hangs is waited for until `Options.renewalLimit`, a store that does not take an answer for 15
    /// seconds more. Where the save window is shared, the others' saves are waited for as well. Running twice at once
    /// does nothing more.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        while !isDraining, !Task.isCancelled {
            tidy()
            while let item = queue.start(at: time.now) { begin(item) }
            guard await claimIfWanted() else {
                await rest(restLength())
                continue
            }
        }
        // In a task of its own, since this one may be cancelled and must give back all the same.
        await Task { await windUp() }.value
        isRunning = false
        for drainer in drainers { drainer.resume() }
        drainers = []
    }

    /// Ends `run` and waits until it has ended.
    public func drain() async {
        isDraining = true
        wake()
        guard isRunning else { return }
        await withCheckedContinuation { drainers.append($0) }
    }

    // MARK: Renewals

    /// How long until a renewal has taken as long as it may; nil while there is none whose place can be given up.
    func waitForLimit(isEnding: Bool = false) -> Duration? {
        guard isEnding || givenUp < Self.givenUpLimit else { return nil }
        let now = time.now
        let first = renewals.values.filter { !$0.isGivenUp }.map { now.since($0.since) }.max()
        return first.map { options.renewalLimit - $0 }
    }

    /// Whether a record's credential is being renewed here, however long it takes.
    func isRenewing(_ key: RecordKey) -> Bool {
        renewals.values.contains { $0.item.record.key == key }
    }

    /// Renews one in a task of its own.
    private func begin(_ item: ClaimQueue.Item) {
        nextTicket += 1
        let (ticket, window) = (nextTicket, saveWindow)
        renewals[ticket] = UnderWay(item: item, since: time.now)
        Task {
            let (outcome, late) = await renew(item, window)
            finish(ticket, outcome, late: late)
        }
    }

    /// Takes in what became of a renewal.
    private func finish(_ ticket: Int, _ outcome: Outcome, late: Duration) {
        guard let renewal = renewals.removeValue(forKey: ticket) else { return }
        guard !renewal.isGivenUp else {
            givenUp -= 1  // Its failure was told when its place was given to others.
            return wake()
        }
        let item = renewal.item
        let now = time.now
        let id = item.entry.credential.id
        var pause: Duration?
        switch outcome {
        case .renewed(let isUnsaved):
            totals.renewed += 1
            if late > .zero { totals.late += 1 }
            if isUnsaved { totals.unsaved += 1 }
            tell(.renewed(late: late), id, at: now)
        case .unneeded(let wait):
            totals.unneeded += 1
            holdBack(item.record, for: min(max(wait, options.busyPause), options.claimDuration / 2))
            tell(.unneeded, id, at: now)
        case .busy:
            totals.busy += 1
            holdBack(item.record, for: options.busyPause)
        case .failed(let code, let retryAfter):
            // The next due time was saved with the failure; where that failed too, the claim lapses.
            totals.failed += 1
            pause = retryAfter
            tell(.failed(code: code, retryIn: retryAfter ?? RenewalSchedule.firstPause), id, at: now)
        case .misconfigured(let code):
            totals.stopped += 1
            tell(.failed(code: code, retryIn: RenewalSchedule.longestPause), id, at: now)
        case .stopped(let code):
            totals.stopped += 1
            tell(.stopped(code: code), id, at: now)
        }
        queue.finish(item, pause: pause, at: now)
        wake()
    }

    /// Gives the places of renewals that take too long to others; a provider that hangs is not to be ended.
    func giveUpLate(isEnding: Bool = false) {
        let now = time.now
        for (ticket, renewal) in renewals where !renewal.isGivenUp {
            guard isEnding || givenUp < Self.givenUpLimit else { return }
            guard now.since(renewal.since) >= options.renewalLimit else { continue }
            renewals[ticket]?.isGivenUp = true
            givenUp += 1
            totals.failed += 1
            queue.finish(renewal.item, at: now)
            tell(.failed(code: "timed_out", retryIn: options.claimDuration), renewal.item.entry.credential.id, at: now)
        }
    }

    private func tell(_ kind: RefreshEvent.Kind, _ id: CredentialID, at now: Moment) {
        listeners.tell(RefreshEvent(kind, credential: id, at: now.wall))
    }

    // MARK: Sleep

    private func restLength() -> Duration {
        let now = time.now
        var length = min(options.pollInterval, wait(untilClaimAt: now))
        for other in [queue.wait(at: now), wait(untilLookAt: now), waitForLimit()] {
            if let other { length = min(length, other) }
        }
        for claim in heldBack { length = min(length, claim.pause - now.since(claim.since)) }
        return length
    }

    /// Sleeps so long, a millisecond at least, or until something happens.
    func rest(_ length: Duration) async {
        let timer = Task { [weak self, time] in
            guard (try? await time.sleep(for: max(.milliseconds(1), length))) != nil else { return }
            await self?.wake()
        }
        await withTaskCancellationHandler {
            await suspend()
        } onCancel: {
            Task { await self.wake() }
        }
        timer.cancel()
    }

    private func suspend() async {
        if isAwake {
            isAwake = false
            return
        }
        await withCheckedContinuation { sleeper = $0 }
    }

    func wake() {
        guard let sleeper else {
            isAwake = true
            return
        }
        self.sleeper = nil
        sleeper.resume()
    }
}
