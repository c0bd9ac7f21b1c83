#if Postgres
internal import AuthKitCore

/// A lease that is a row: extended while it is held, and given back at the latest when the last reference goes.
final class PostgresLease: StoreLease {
    /// What is thrown by whatever needs a lease that is no longer held.
    static let lost = StoreError(.leaseLost, "The lease lapsed and others may have it; start again.")

    private static let firstPause: Duration = .milliseconds(5)
    private static let longestPause: Duration = .milliseconds(100)

    private let hold: PostgresHold

    private init(_ hold: PostgresHold) {
        self.hold = hold
    }

    deinit {
        guard hold.isHeld else { return }
        Task { [hold] in await hold.end() }
    }

    /// Asks for a lease again and again until it is had; the turn within the process is held along with it.
    static func take(
        _ key: RecordKey,
        for purpose: LeasePurpose,
        in store: PostgresStore,
        turn: any StoreLease,
        until deadline: Deadline
    ) async throws -> any StoreLease {
        let time = store.options.time
        let holder = try Random.bytes(16)
        let values: [PostgresValue] = [
            .bytes(key.bytes), .integer(purpose.number), .bytes(holder),
            .integer(store.options.leaseDuration.milliseconds),
        ]
        var pause = firstPause
        while true {
            let row = try await store.pool.run(lane: .urgent) { connection, _ in
                try connection.run(.take, values).first
            }
            if let number = row?.integer(0) {
                let hold = PostgresHold(store, turn: turn, key: key, purpose: purpose, number: number, holder: holder)
                let lease = PostgresLease(hold)
                if Task.isCancelled {
                    await hold.giveRowBack()
                    throw CancellationError()
                }
                hold.keepAlive()
                return lease
            }
            try Task.checkCancellation()
            let left = deadline.remaining(at: time.now)
            guard left > .zero else {
                throw StoreError(
                    .busy,
                    "Another process \(purpose.deed) at \(store.place); try again when it has finished."
                )
            }
            try await time.sleep(for: min(left, pause * Double.random(in: 0.5...1)))
            pause = min(pause * 1.5, longestPause)
        }
    }

    /// What names this lease to a statement: key, purpose, number, holder.
    var identity: [PostgresValue] { hold.identity }

    /// Whether nobody has ended it; it may have lapsed.
    var isHeld: Bool { hold.isHeld }

    /// Notes that the store no longer has it, and gives the error for that.
    func lose() async -> StoreError { await hold.lose() }

    var fencingNumber: Int64? { hold.number }

    func confirm() async throws {
        try await hold.ask(.confirm)
    }

    func extend() async throws {
        try await hold.ask(.extend)
    }

    func release() async {
        await hold.end()
    }
}

/// The part of a lease that its keeper knows: the row, and the turn within the process.
final class PostgresHold: Sendable {
    private struct State {
        var isHeld = true
        var keeper: Task<Void, Never>?
    }

    /// The fencing number.
    let number: Int64
    /// What names the lease to a statement.
    let identity: [PostgresValue]
    private let pool: PostgresPool
    private let options: PostgresStore.Options
    private let turn: any StoreLease
    private let state = Guarded(State())

    init(
        _ store: PostgresStore,
        turn: any StoreLease,
        key: RecordKey,
        purpose: LeasePurpose,
        number: Int64,
        holder: [UInt8]
    ) {
        self.number = number
        self.turn = turn
        pool = store.pool
        options = store.options
        identity = [.bytes(key.bytes), .integer(purpose.number), .integer(number), .bytes(holder)]
    }

    /// Whether it has not been ended; it may have lapsed.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Asks whether the lease is held, or for more time; throws `lease_lost` when it is not.
    func ask(_ query: PostgresQuery) async throws {
        guard isHeld else { throw PostgresLease.lost }
        let rows = try await pool.run(lane: .urgent) { [identity] connection, _ in
            try connection.run(query, identity)
        }
        guard !rows.isEmpty else { throw await lose() }
    }

    /// Starts to extend the lease, three times as often as it would lapse, until it ends or is lost.
    func keepAlive() {
        let interval = options.leaseDuration / 3
        let time = options.time
        let keeper = Task { [weak self] in
            while (try? await time.sleep(for: interval)) != nil {
                guard let self else { return }
                do {
                    try await self.ask(.extend)
                } catch let error as StoreError where error.code == .leaseLost {
                    return
                } catch {
                    Trace.note("extending a lease failed: \(error)")  // The next round tries again.
                }
            }
        }
        state.withLock { state in
            if state.isHeld { state.keeper = keeper } else { keeper.cancel() }
        }
    }

    /// Ends the lease once; ending again is nothing.
    func end() async {
        guard stop() else { return }
        await giveRowBack()
        await turn.release()
    }

    /// Lets go of what was lost, so that others of this process, and its holder, can take the lease anew.
    func lose() async -> StoreError {
        if stop() { await turn.release() }
        return PostgresLease.lost
    }

    private func stop() -> Bool {
        state.withLock { state in
            defer { state.isHeld = false }
            state.keeper?.cancel()
            return state.isHeld
        }
    }

    /// Removes the row; when the server is away it lapses by itself.
    func giveRowBack() async {
        // In a task of its own: the one that gives it back may be cancelled.
        let work = Task { [pool, identity] in
            _ = try await pool.run(patience: .once, lane: .urgent) { connection, _ in
                try connection.run(.release, identity)
            }
        }
        do {
            try await work.value
        } catch {
            Trace.note("giving a lease back failed: \(error)")
        }
    }
}

extension LeasePurpose {
    /// How a purpose is stored.
    fileprivate var number: Int64 {
        switch self {
        case .refresh: 0
        case .signIn: 1
        case .maintenance: 2
        }
    }

    fileprivate var deed: String {
        switch self {
        case .refresh: "is renewing these tokens"
        case .signIn: "is signing in"
        case .maintenance: "is changing the keys of this store"
        }
    }
}
#endif
