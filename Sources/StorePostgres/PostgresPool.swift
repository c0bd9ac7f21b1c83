#if Postgres
internal import AuthKitCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A bounded number of connections, lent one call at a time, and the calls' second tries.
final class PostgresPool: Sendable {
    private struct Waiter {
        let ticket: Int
        let lane: Lane
        let continuation: CheckedContinuation<PostgresSlot, any Error>
        let timer: Task<Void, Never>

        func end(_ result: Result<PostgresSlot, any Error>) {
            timer.cancel()
            continuation.resume(with: result)
        }
    }

    private struct State {
        var idle: [PostgresSlot] = []
        var made = 0
        /// How many ordinary calls have a connection.
        var ordinary = 0
        /// In order of arrival.
        var waiters: [Waiter] = []
        var nextTicket = 0
        var isClosed = false

        /// Takes out who is next to have a connection: the first that is urgent, or the first of all.
        mutating func nextWaiter(ordinaryLimit: Int) -> Waiter? {
            let urgent = waiters.firstIndex { $0.lane == .urgent }
            guard let index = urgent ?? (ordinary < ordinaryLimit ? waiters.indices.first : nil) else { return nil }
            let waiter = waiters.remove(at: index)
            if waiter.lane == .ordinary { ordinary += 1 }
            return waiter
        }

        /// Takes out one that waits no longer.
        mutating func remove(_ ticket: Int) -> Waiter? {
            waiters.firstIndex { $0.ticket == ticket }.map { waiters.remove(at: $0) }
        }
    }

    /// Who goes first when connections are scarce.
    enum Lane {
        /// Leases, which lapse, and saves, without which what was renewed is lost.
        case urgent
        /// All else.
        case ordinary
    }

    /// How often a call is tried again.
    enum Patience {
        /// While the server is away, up to the limit of the options.
        case untilReconnected
        /// Only while the server says that it is starting.
        case whileStarting
        /// Once, for a connection that broke while it was idle.
        case once
    }

    private static let firstPause: Duration = .milliseconds(20)
    private static let longestPause: Duration = .seconds(1)
    /// So many calls wait for a connection at most.
    private static let queueLimit = 4096

    /// Where the server is, in words.
    let place: String
    private let address: PostgresAddress
    private let library: PostgresLibrary
    private let options: PostgresStore.Options
    private let state = Guarded(State())
    private let process = getpid()

    init(_ address: PostgresAddress, library: PostgresLibrary, options: PostgresStore.Options) {
        self.address = address
        self.library = library
        self.options = options
        place = address.place
    }

    /// Runs a body on a connection.
    ///
    /// A body whose connection broke is run again on another one; `isRepeat` tells it that it may have taken effect
    /// before. Failures come out as `StoreError`.
    func run<Result: Sendable>(
        patience: Patience = .untilReconnected,
        lane: Lane = .ordinary,
        _ body: @escaping @Sendable (PostgresConnection, _ isRepeat: Bool) throws -> Result
    ) async throws -> Result {
        guard process == getpid() else {
            throw StoreError(
                .inputOutput,
                "The store at \(place) was opened before this process was forked; open it again in this process."
            )
        }
        let deadline = Deadline(options.reconnectLimit, from: options.time.now)
        var pause = Self.firstPause
        var tries = 0
        var isRepeat = false
        while true {
            do {
                return try await lend(lane) { [isRepeat] connection in try body(connection, isRepeat) }
            } catch let failure as PostgresFailure {
                tries += 1
                guard isWorthwhile(failure, patience, tries), !deadline.hasPassed(at: options.time.now) else {
                    throw failure.storeError(at: place)
                }
                if failure.stage == .unknown { isRepeat = true }
            }
            try await options.time.sleep(for: pause * Double.random(in: 0.5...1))
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Ends the idle connections; the others end when they come back.
    func close() async {
        let (idle, waiters) = state.withLock { state in
            state.isClosed = true
            defer {
                state.idle = []
                state.waiters = []
            }
            return (state.idle, state.waiters)
        }
        for waiter in waiters { waiter.end(.failure(closed)) }
        for slot in idle { await slot.close() }
    }

    private func isWorthwhile(_ failure: PostgresFailure, _ patience: Patience, _ tries: Int) -> Bool {
        switch patience {
        case .untilReconnected: failure.isPassing
        case .whileStarting: failure.isStarting
        case .once: failure.isPassing && tries < 2
        }
    }

    private func lend<Result: Sendable>(
        _ lane: Lane,
        _ body: @Sendable (PostgresConnection) throws -> Result
    ) async throws -> Result {
        let slot = try await take(lane)
        do {
            let result = try await slot.run(body)
            await giveBack(slot, lane)
            return result
        } catch {
            await giveBack(slot, lane)
            throw error
        }
    }

    /// Ordinary calls leave one connection to the urgent ones: what a bulk of loads holds up must not cost a lease.
    private var ordinaryLimit: Int { max(1, options.connectionLimit - 1) }

    private func take(_ lane: Lane) async throws -> PostgresSlot {
        try Task.checkCancellation()
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<PostgresSlot, any Error>? = state.withLock { state in
                    // The flag is set before handlers run: whoever is not seen here is found by the handler below.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isClosed { return .failure(closed) }
                    if let slot = freeSlot(for: lane, &state) { return .success(slot) }
                    guard state.waiters.count < Self.queueLimit else { return .failure(crowded) }
                    // Started under the lock: it finds the waiter in its line, however soon it ends.
                    let timer = Task { await expire(ticket) }
                    state.waiters.append(Waiter(ticket: ticket, lane: lane, continuation: continuation, timer: timer))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { $0.remove(ticket) }?.end(.failure(CancellationError()))
        }
    }

    private func freeSlot(for lane: Lane, _ state: inout State) -> PostgresSlot? {
        guard lane == .urgent || state.ordinary < ordinaryLimit else { return nil }
        // The one that came back last: what broke is mended first, and what is idle long stays so.
        var slot = state.idle.popLast()
        if slot == nil, state.made < options.connectionLimit {
            state.made += 1
            slot = PostgresSlot(address, library: library, timeout: options.statementLimit)
        }
        if slot != nil, lane == .ordinary { state.ordinary += 1 }
        return slot
    }

    private func expire(_ ticket: Int) async {
        // An early end is a cancellation: the wait is over already.
        guard (try? await options.time.sleep(for: options.connectionWait)) != nil else { return }
        state.withLock { $0.remove(ticket) }?.end(.failure(crowded))
    }

    private func giveBack(_ slot: PostgresSlot, _ lane: Lane) async {
        let (next, isClosed) = state.withLock { state in
            if lane == .ordinary { state.ordinary -= 1 }
            let next = state.nextWaiter(ordinaryLimit: ordinaryLimit)
            if next == nil, !state.isClosed { state.idle.append(slot) }
            return (next, state.isClosed)
        }
        next?.end(.success(slot))
        if isClosed { await slot.close() }
    }

    private var closed: StoreError {
        StoreError(.inputOutput, "The store at \(place) was closed; open it again.")
    }

    private var crowded: StoreError {
        StoreError(.busy, "Too many calls wait for a connection to \(place); try again, or allow more connections.")
    }
}
#endif
