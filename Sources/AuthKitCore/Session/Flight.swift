/// One piece of work that any number of callers wait for.
///
/// Its work belongs to nobody's task: a caller that is cancelled leaves at once and the others get the result.
final class Flight<Value: Sendable>: Sendable {
    /// The caller's own limit passed; the flight goes on.
    struct CallerLeft: Error {}

    private struct State: Sendable {
        var result: Result<Value, any Error>?
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var nextWaiter = 0
    }

    private let state = Guarded(State())

    /// Makes a flight that is on its way.
    init() {}

    /// Ends it; only the first end counts.
    func land(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            guard state.result == nil else { return [CheckedContinuation<Value, any Error>]() }
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    /// Waits for the end, so long at most; throws `CancellationError` at once when the caller's task is cancelled.
    ///
    /// Throws `CallerLeft` when the limit passes first.
    func wait(within limit: Duration? = nil, time: any TimeSource = SystemTime()) async throws -> Value {
        guard let limit else { return try await wait() }
        // The timer is a task beside the wait: whichever ends first cancels the other.
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await self.wait() }
            group.addTask {
                try await time.sleep(for: limit)
                throw CallerLeft()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CallerLeft() }
            return value
        }
    }

    private func wait() async throws -> Value {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let result = state.result { return result }
                    state.waiters[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}
