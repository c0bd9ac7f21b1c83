internal import AuthKitCore

/// Runs work for so long at most, even where it blocks in a library that nothing can cancel.
///
/// Work whose time is over is cancelled and has a moment to clean up; then it is left behind, and the process ends
/// without it. What must not be cut off counts in the process's `SaveWindow`, which is waited for at its end.
struct TimeLimit: Sendable {
    private final class Outcome<Value: Sendable>: Sendable {
        typealias Waiter = CheckedContinuation<Result<Value, any Error>, Never>

        private struct State: Sendable {
            var result: Result<Value, any Error>?
            var waiter: Waiter?
            /// Why it ended, once the time was over.
            var failure: CommandFailure?
        }

        private let state = Guarded(State())

        /// Says that the time is over, and why.
        func end(for failure: CommandFailure) { state.withLock { $0.failure = failure } }

        /// Gives the result, of which only the first counts.
        ///
        /// Work that failed once its time was over has ended for the limit.
        func land(_ result: Result<Value, any Error>) {
            let (waiter, landed) = state.withLock { state -> (Waiter?, Result<Value, any Error>) in
                if let first = state.result { return (nil, first) }
                var landed = result
                if let failure = state.failure, case .failure = result { landed = .failure(failure) }
                state.result = landed
                defer { state.waiter = nil }
                return (state.waiter, landed)
            }
            waiter?.resume(returning: landed)
        }

        /// Waits for the first result.
        func value() async -> Result<Value, any Error> {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiter = continuation }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }

    /// What cleaning up may take when the time is over.
    private static let grace: Duration = .milliseconds(250)

    let limit: Duration
    let time: any TimeSource

    /// Runs work; `failure` is asked for when the time is over and says what to tell.
    ///
    /// A cancelled caller cancels the work and waits for its end.
    func run<Value: Sendable>(
        orThrow failure: @escaping @Sendable () -> CommandFailure,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        let task = Task {
            do {
                outcome.land(.success(try await work()))
            } catch {
                outcome.land(.failure(error))
            }
        }
        let timer = Task { [limit, time] in
            do {
                try await time.sleep(for: limit)
                outcome.end(for: failure())
                task.cancel()
                try await time.sleep(for: Self.grace)
                outcome.land(.failure(failure()))
            } catch {
                return  // The work ended first.
            }
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await outcome.value().get()
        } onCancel: {
            task.cancel()
        }
    }
}
