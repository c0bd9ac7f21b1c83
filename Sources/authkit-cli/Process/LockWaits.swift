internal import AuthKitCore

/// What a command is waiting for at the moment that others hold, so that a limit which passes can tell it.
final class LockWaits: Sendable {
    private struct State: Sendable {
        var pending = 0
        /// Whether a wait was given up because the command's time was over.
        var wasGivenUp = false
    }

    private let state = Guarded(State())

    /// Makes one that waits for nothing.
    init() {}

    /// Whether something is waited for, or was until the wait was cut off.
    var isHeldUp: Bool { state.withLock { $0.pending > 0 || $0.wasGivenUp } }

    /// Runs what may wait for others.
    func during<Result>(_ body: () async throws -> Result) async throws -> Result {
        state.withLock { $0.pending += 1 }
        do {
            let result = try await body()
            state.withLock { $0.pending -= 1 }
            return result
        } catch {
            let wasGivenUp = error is CancellationError
            state.withLock { state in
                state.pending -= 1
                if wasGivenUp { state.wasGivenUp = true }
            }
            throw error
        }
    }

    /// Says that the time was over: 75 where others held what was needed, else 69.
    func failure(limit: String?) -> CommandFailure {
        let within = limit.map { "within --timeout \($0)" } ?? "in time"
        guard isHeldUp else {
            return CommandFailure(.unavailable, "timed_out", "It was not done \(within); try again.")
        }
        return CommandFailure(
            .tryAgain,
            "busy",
            "It was not done \(within), since another process holds the store or the configuration; "
                + "try again when that has finished."
        )
    }
}
