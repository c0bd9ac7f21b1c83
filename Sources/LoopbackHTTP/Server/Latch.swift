import AuthKitCore

/// A value that is set once and waited for by any number of tasks, each bounded and free to be cancelled.
final class Latch<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var nextTicket = 0
        var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    }

    private let state = Guarded(State())

    /// The value, where it is set.
    var value: Value? { state.withLock { $0.value } }

    /// Sets the value and wakes every waiter; false, and nothing, when it was set before.
    @discardableResult
    func open(_ value: Value) -> Bool {
        let waiters: [CheckedContinuation<Value?, Never>]? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters ?? [] { waiter.resume(returning: value) }
        return waiters != nil
    }

    /// Waits for the value; nil when the task is cancelled first.
    func wait() async -> Value? {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Value?? = state.withLock { state in
                    if let value = state.value { return .some(value) }
                    // The flag is set before handlers run: whoever is not seen here is found by the handler below.
                    if Task.isCancelled { return .some(nil) }
                    state.waiters[ticket] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            waiter?.resume(returning: nil)
        }
    }

    /// Waits for the value as long as is said; nil when that passes or the task is cancelled first.
    func wait(within duration: Duration, on time: any TimeSource) async -> Value? {
        if let value { return value }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await self.wait() }
            group.addTask {
                // Ends by time or by cancellation, which mean the same here.
                try? await time.sleep(for: duration)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? self.value
        }
    }
}
