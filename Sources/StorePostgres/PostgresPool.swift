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
        let continuation: CheckedContinuation<PostgresSlot, any Error>
    }

    private struct State {
        var idle: [PostgresSlot] = []
        var made = 0
        var waiters: [Waiter] = []
        var nextTicket = 0
        var isClosed = false
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

    /// How many connections were made at most at one time.
    var connectionCount: Int { state.withLock { $0.made } }

    /// Runs a body on a connection.
    ///
    /// A body whose connection broke is run again on another one; `isRepeat` tells it that it may have taken effect
    /// before. Failures come out as `StoreError`.
    func run<Result: Sendable>(
        patience: Patience = .untilReconnected,
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
                return try await lend { [isRepeat] connection in try body(connection, isRepeat) }
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
        for waiter in waiters { waiter.continuation.resume(throwing: closed) }
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
        _ body: @Sendable (PostgresConnection) throws -> Result
    ) async throws -> Result {
        let slot = try await take()
        do {
            let result = try await slot.run(body)
            await giveBack(slot)
            return result
        } catch {
            await giveBack(slot)
            throw error
        }
    }

    private func take() async throws -> PostgresSlot {
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
                    // The one that came back last: what broke is mended first, and what is idle long stays so.
                    if let slot = state.idle.popLast() { return .success(slot) }
                    if state.made < options.connectionLimit {
                        state.made += 1
                        return .success(PostgresSlot(address, library: library, timeout: options.statementLimit))
                    }
                    guard state.waiters.count < Self.queueLimit else { return .failure(crowded) }
                    state.waiters.append(Waiter(ticket: ticket, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func giveBack(_ slot: PostgresSlot) async {
        let (next, isClosed) = state.withLock { state in
            if !state.waiters.isEmpty { return (state.waiters.removeFirst() as Waiter?, false) }
            if !state.isClosed { state.idle.append(slot) }
            return (nil, state.isClosed)
        }
        next?.continuation.resume(returning: slot)
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
